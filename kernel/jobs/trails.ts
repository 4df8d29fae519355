import type { Database } from '../database/database.ts'
import { findTrail, recordTrail, replaceTrail } from '../database/tables/trails.ts'
import type { RunAccount } from '../sandbox/process/account.ts'
import { printable } from '../sandbox/process/reason.ts'

/** Limits per conversion: number of last runs; characters of each run's arguments and of each output line. */
const KEPT = { runs: 16, arguments: 4096, line: 300 }

/** Stores the engine runs of a conversion for as long as its record exists. A later attempt replaces an earlier one. */
export const keepTrail = (database: Database, conversion: string, runs: readonly RunAccount[]): Promise<void> =>
  replaceTrail(database, { conversion, runs: textOf(runs) })

/** Stores the engine runs of a conversion in the transaction that ends it. */
export const recordRuns = (transaction: Database, conversion: string, runs: readonly RunAccount[]): Promise<void> =>
  recordTrail(transaction, { conversion, runs: textOf(runs) })

const textOf = (runs: readonly RunAccount[]) => JSON.stringify(runs.slice(-KEPT.runs).map(bounded))

/** Reads the engine runs of a conversion, oldest first; undefined: nothing ran, or no runs were stored. */
export async function readTrail(database: Database, id: string): Promise<RunAccount[] | undefined> {
  const runs = await findTrail(database, id)
  return runs === undefined ? undefined : JSON.parse(runs)
}

/** Makes lines safe to print on an operator's terminal. */
export const legible = (lines: readonly string[]): string[] =>
  lines.map((line) => printable(line).trim().slice(0, KEPT.line)).filter(Boolean)

function bounded({ args, said, ...run }: RunAccount): RunAccount {
  let left = KEPT.arguments
  const kept = args.map((arg) => printable(arg)).filter((arg) => (left -= arg.length + 1) >= 0)
  return { ...run, args: kept.length < args.length ? [...kept, '…'] : kept, said: legible(said) }
}
