import type { Database } from '../database/database.ts'
import { findReport, findTrail, recordTrail } from '../database/tables/trails.ts'
import type { RunAccount } from '../sandbox/process/account.ts'
import { printable } from '../sandbox/process/reason.ts'
import type { Work } from './findings.ts'
import { type EndStatus, type Summary, summarise } from './summary.ts'

/** Limits per conversion: number of last runs; characters of each run's arguments and of each output line. */
const KEPT = { runs: 16, arguments: 4096, line: 300 }

/** Stores the work on a conversion, in the transaction that ends it, for as long as its record exists. */
export const recordWork = (transaction: Database, conversion: string, status: EndStatus, work: Work): Promise<void> =>
  recordTrail(transaction, {
    conversion,
    runs: JSON.stringify(work.runs.slice(-KEPT.runs).map(bounded)),
    report: JSON.stringify(summarise(work, status)),
  })

/** Reads the engine runs of a conversion, oldest first; undefined: nothing ran, or no runs were stored. */
export async function readTrail(database: Database, id: string): Promise<RunAccount[] | undefined> {
  const runs = await findTrail(database, id)
  return runs === undefined ? undefined : JSON.parse(runs)
}

/** Reads what the report of a conversion says of the work on it; undefined: nothing ran, or it was not stored. */
export async function readSummary(database: Database, id: string): Promise<Summary | undefined> {
  const report = await findReport(database, id)
  return report ? JSON.parse(report) : undefined
}

/** Makes lines safe to print on an operator's terminal. */
export const legible = (lines: readonly string[]): string[] =>
  lines.map((line) => printable(line).trim().slice(0, KEPT.line)).filter(Boolean)

function bounded({ args, said, ...run }: RunAccount): RunAccount {
  let left = KEPT.arguments
  const kept = args.map((arg) => printable(arg)).filter((arg) => (left -= arg.length + 1) >= 0)
  return { ...run, args: kept.length < args.length ? [...kept, '…'] : kept, said: legible(said) }
}
