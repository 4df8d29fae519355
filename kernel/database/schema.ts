import type { Knex } from 'knex'
import { StartError } from '../errors.ts'
import { migrationNames } from './migrations.ts'

/** The schema of a database, compared with the migrations that this version knows. */
export interface SchemaState {
  /** Whether a start has begun to create the schema. */
  begun: boolean
  /** Applied migrations, in order. None: no service has created the schema. */
  applied: readonly string[]
  /** Migrations that this version knows and the database lacks. */
  pending: readonly string[]
  /** Migrations of a newer version. */
  newer: readonly string[]
  /** Whether a start is changing the schema, or was killed while it did. */
  locked: boolean
}

const MIGRATIONS = 'knex_migrations'
const LOCK = 'knex_migrations_lock'

/** Reads knex's own tables. Creates and changes nothing. */
export async function readSchema(database: Knex): Promise<SchemaState> {
  const has = (table: string) => database.schema.hasTable(table)
  const begun = await has(MIGRATIONS)
  const applied: string[] = begun ? await database(MIGRATIONS).orderBy('id').pluck('name') : []
  const locks = (await has(LOCK)) ? await database(LOCK).where({ is_locked: 1 }) : []
  return {
    begun,
    applied,
    pending: migrationNames.filter((name) => !applied.includes(name)),
    newer: applied.filter((name) => !migrationNames.includes(name)),
    locked: locks.length > 0,
  }
}

/** Removes the lock that a killed start has left. */
export async function unlockSchema(database: Knex): Promise<void> {
  await database(LOCK).update({ is_locked: 0 })
}

/** @throws StartError for a schema that this version must not use: of a newer version, or locked. */
export function refuseUnusable(schema: SchemaState): void {
  refuseNewer(schema)
  if (!schema.locked) return
  throw new StartError(
    'The database is locked: a start was killed while it changed the schema, or another service is changing it now. ' +
      'If no service is, run npm run admin -- migrate unlock.',
  )
}

/** @throws StartError for a schema of a newer version. */
export function refuseNewer({ newer }: SchemaState): void {
  if (!newer.length) return
  throw new StartError(
    `The database was written by a newer version (migration ${newer.at(-1)}); this version ends with ` +
      `${migrationNames.at(-1)}. Start the newer version, or restore an older backup.`,
  )
}

/**
 * @throws StartError if a database on a server has tables, but no schema of this service: they belong to another
 * program, or a start was killed while it created them.
 */
export async function refuseOccupied(database: Knex): Promise<void> {
  const [tables = []]: object[][] = await database.raw('show tables')
  const names: string[] = tables.flatMap(Object.values)
  const others = names.filter((name) => !name.startsWith(MIGRATIONS))
  if (!others.length) return
  const whose = names.includes(MIGRATIONS) ? 'a start that was interrupted' : 'another program'
  throw new StartError(
    `DATABASE_URL: the database has tables of ${whose} (${others.slice(0, 3).join(', ')}). ` +
      'Create an empty database for this service.',
  )
}
