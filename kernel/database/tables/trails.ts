import type { Database } from '../database.ts'

/** A row of the table `trails`: the work of engines on a conversion. */
interface TrailRow {
  conversion: string
  /** Their runs, for operators. JSON. */
  runs: string
  /** What the report of the conversion says of it. JSON; null: an earlier version stored it. */
  report: string | null
}

const trails = (database: Database) => database<TrailRow>('trails')

/** Replaces the trail of a conversion. */
export async function recordTrail(transaction: Database, row: TrailRow): Promise<void> {
  await trails(transaction).insert(row).onConflict('conversion').merge()
}

/** Returns the JSON of a conversion's runs; undefined: there is none. */
export async function findTrail(database: Database, conversion: string): Promise<string | undefined> {
  return (await trails(database).where({ conversion }).first())?.runs
}

/** Returns the JSON for the report of a conversion; null or undefined: there is none. */
export async function findReport(database: Database, conversion: string): Promise<string | null | undefined> {
  return (await trails(database).where({ conversion }).first('report'))?.report
}

export async function deleteTrail(database: Database, conversion: string): Promise<void> {
  await trails(database).where({ conversion }).delete()
}
