import type { Database } from '../database.ts'

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

/** Returns the JSON of a conversion's runs; undefined: there is none. */
export async function findTrail(database: Database, conversion: string): Promise<string | undefined> {
  return (await trails(database).where({ conversion }).first())?.runs
}

export async function deleteTrail(database: Database, conversion: string): Promise<void> {
  await trails(database).where({ conversion }).delete()
}
