import type { Database } from '../database/database.ts'
import { findTrail, replaceTrail } from '../database/tables/trails.ts'
import type { RunAccount } from '../sandbox/account.ts'
import { printable } from '../sandbox/reason.ts'

/** What is kept of one conversion: the last runs, and characters of each one's arguments and lines. */
const KEPT = { runs: 16, arguments: 4096, line: 300 }

/** Keeps what ran for a conversion for as long as its record exists. A later attempt's runs replace an earlier one's. */
export const keepTrail = (database: Database, conversion: string, runs: readonly RunAccount[]): Promise<void> =>
  replaceTrail(database, { conversion, runs: JSON.stringify(runs.slice(-KEPT.runs).map(bounded)) })

/** What ran for a conversion, oldest first; undefined: nothing ran, or it is not known. */
export async function readTrail(database: Database, id: string): Promise<RunAccount[] | undefined> {
  const runs = await findTrail(database, id)
  return runs === undefined ? undefined : JSON.parse(runs)
}

/** Lines as an operator may read them on a terminal. */
export const legible = (lines: readonly string[]): string[] =>
  lines.map((line) => printable(line).trim().slice(0, KEPT.line)).filter(Boolean)

function bounded({ args, said, ...run }: RunAccount): RunAccount {
  let left = KEPT.arguments
  const kept = args.map((arg) => printable(arg)).filter((arg) => (left -= arg.length + 1) >= 0)
  return { ...run, args: kept.length < args.length ? [...kept, '…'] : kept, said: legible(said) }
}
