import type { Knex } from 'knex'
import { StartError } from '../errors.ts'
import { migrationNames } from './migrations.ts'

/** The schema of a database, compared with the migrations that this version knows. */
export interface SchemaState {
  /** Applied migrations, in order. None: no service has created the schema. */
  applied: readonly string[]
  /** Migrations that this version knows and the database lacks. */
  pending: readonly string[]
  /** Migrations of a newer version. */
  foreign: readonly string[]
  /** Whether a start has begun to create the schema. */
  begun: boolean
  /** Whether a start is changing the schema, or was killed while it did. */
  locked: boolean
}

/** Reads knex's own tables. Creates and changes nothing. */
export async function readSchema(database: Knex): Promise<SchemaState> {
  const has = (table: string) => database.schema.hasTable(table)
  const begun = await has(MIGRATIONS)
  const applied: string[] = begun ? await database(MIGRATIONS).orderBy('id').pluck('name') : []
  const locks = (await has(LOCK)) ? await database(LOCK).select('is_locked') : []
  return {
    applied,
    pending: migrationNames.filter((name) => !applied.includes(name)),
    foreign: applied.filter((name) => !migrationNames.includes(name)),
    begun,
    locked: locks.some(({ is_locked }) => Number(is_locked) === 1),
  }
}

const MIGRATIONS = 'knex_migrations'
const LOCK = 'knex_migrations_lock'

/** Removes the lock that a killed start has left. */
export const unlockSchema = async (database: Knex): Promise<void> => {
  await database(LOCK).update({ is_locked: 0 })
}

/** @throws StartError for a schema that this version must not change. */
export function refuseForeign(state: SchemaState): void {
  refuseNewer(state)
  if (state.locked) {
    throw new StartError(
      'The database is locked: a start was killed while it changed the schema, or another service is changing it now. ' +
        'If no service is, run npm run admin -- migrate unlock.',
    )
  }
}

/** @throws StartError for a database on a server that holds something else: one day, tables of both would have the same name. */
export async function refuseOccupied(database: Knex): Promise<void> {
  const [tables]: object[][] = await database.raw('show tables')
  if (!tables?.length) return
  const names = tables.slice(0, 3).flatMap(Object.values).join(', ')
  throw new StartError(
    `DATABASE_URL: the database has tables of another program (${names}). Create an empty database for this service.`,
  )
}

/** @throws StartError for a schema of a newer version. */
export function refuseNewer({ foreign }: SchemaState): void {
  if (!foreign.length) return
  throw new StartError(
    `The database was written by a newer version (migration ${foreign.at(-1)}); this version ends with ` +
      `${migrationNames.at(-1)}. Start the newer version, or restore an older backup.`,
  )
}
