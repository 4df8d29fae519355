import type { Database } from '../database/database.ts'
import type { RunAccount } from '../sandbox/account.ts'
import { printable } from '../sandbox/reason.ts'

/** A row of the table `trails`. */
interface TrailRow {
  conversion: string
  /** JSON. */
  runs: string
}

/** What is kept of one conversion: the last runs, and characters of each one's arguments and lines. */
const KEPT = { runs: 16, arguments: 4096, line: 300 }

/** Keeps what ran for a conversion, as long as its record is there; a later attempt's runs replace an earlier one's. */
export async function keepTrail(database: Database, id: string, runs: readonly RunAccount[]): Promise<void> {
  const text = JSON.stringify(runs.slice(-KEPT.runs).map(bounded))
  await database('trails').where({ conversion: id }).delete()
  // Only where the record still is: nobody would remove the trail of one that has gone.
  await database.raw('insert into trails (conversion, runs) select id, ? from conversions where id = ?', [text, id])
}

/** What ran for a conversion, oldest first; undefined: nothing did, or it is not known. */
export async function readTrail(database: Database, id: string): Promise<RunAccount[] | undefined> {
  const row = await database<TrailRow>('trails').where({ conversion: id }).first()
  return row && JSON.parse(row.runs)
}

/** Removes the trail of a conversion whose record is gone. */
export async function removeTrail(database: Database, id: string): Promise<void> {
  await database('trails').where({ conversion: id }).delete()
}

/** Lines as an operator may read them on a terminal. */
export const legible = (lines: readonly string[]): string[] =>
  lines.map((line) => printable(line).trim().slice(0, KEPT.line)).filter(Boolean)

function bounded({ args, said, ...run }: RunAccount): RunAccount {
  let left = KEPT.arguments
  const kept = args.map((arg) => printable(arg)).filter((arg) => (left -= arg.length + 1) >= 0)
  return { ...run, args: kept.length < args.length ? [...kept, '…'] : kept, said: legible(said) }
}
