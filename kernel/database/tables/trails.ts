import type { Database } from '../database.ts'
import type { Change } from '../work.ts'

/** A row of the table `trails`: the runs of engines for a conversion. */
interface TrailRow {
  conversion: string
  /** JSON. */
  runs: string
}

const trails = (database: Database) => database<TrailRow>('trails')

/** Replaces the trail of a conversion. Writes nothing if its record is gone, because nobody would remove the trail. */
export async function replaceTrail(database: Database, { conversion, runs }: TrailRow): Promise<void> {
  const statement = 'replace into trails (conversion, runs) select id, ? from conversions where id = ?'
  await database.raw(statement, [runs, conversion])
}

/** Does the same in the transaction that ends the conversion, so its record exists. */
export const recordTrail = ({ conversion, runs }: TrailRow): Change => ({
  sql: 'replace into trails (conversion, runs) values (?, ?)',
  values: [conversion, runs],
  usual: 1,
})

/** Returns the JSON of a conversion's runs; undefined: there is none. */
export async function findTrail(database: Database, conversion: string): Promise<string | undefined> {
  return (await trails(database).where({ conversion }).first())?.runs
}

export async function deleteTrail(database: Database, conversion: string): Promise<void> {
  await trails(database).where({ conversion }).delete()
}
