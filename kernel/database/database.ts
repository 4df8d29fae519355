import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type SQLite from 'better-sqlite3'
import knexPackage, { type Knex } from 'knex'
import type { Logger } from 'pino'
import { ServerAway, StartError } from '../errors.ts'
import { isUnavailable } from './errors.ts'
import { migrationSource } from './migrations.ts'
import { readSchema, refuseOccupied, refuseUnusable, type SchemaState } from './schema.ts'
import { ANSWER_TIMEOUT_MS, onServer } from './server.ts'

// knex is a CommonJS module, and its default export is the factory.
const createKnex = knexPackage as unknown as (config: Knex.Config) => Knex

/** A database, or a transaction of it. */
export type Database = Knex

/** Location of the database: SQLite in `dataDir`, or MySQL 8 / MariaDB 10.6+ at `url`. */
export interface Place {
  url: string | undefined
  dataDir: string
}

/**
 * Opens the database and updates its schema.
 *
 * @param check Runs before the schema changes. If it throws, nothing changes.
 * @param log Gets lines about a change of the schema.
 * @throws ServerAway if it does not answer, StartError if it cannot be migrated, was written by a newer version, or is
 *   locked.
 */
export const openDatabase = (
  place: Place,
  check: (database: Database, schema: SchemaState) => Promise<void> = async () => {},
  log?: Logger,
): Promise<Database> =>
  open(place, async (database) => {
    const schema = await readSchema(database)
    refuseUnusable(schema)
    if (place.url && !schema.applied.length) await refuseOccupied(database)
    await check(database, schema)
    if (schema.pending.length) await migrate(database, place, schema, log)
  })

/**
 * Opens a database without changing its schema. Resolves to undefined if there is none, and creates none.
 *
 * @throws StartError if it cannot be reached, or `check` refuses it.
 */
export async function openExisting(
  place: Place,
  check: (database: Database) => Promise<void>,
): Promise<Database | undefined> {
  return place.url || existsSync(fileIn(place.dataDir)) ? open(place, check) : undefined
}

/**
 * Opens another connection to a server whose schema is up to date, for statements that must not wait for others.
 *
 * @param timeout Milliseconds that connecting and each statement may take, from 2000 on.
 */
export function openSeparately(url: string, timeout: number): Database {
  const { pool, ...config } = onServer(url, timeout)
  return createKnex({ ...config, pool: { ...pool, max: 1 } })
}

async function open({ url, dataDir }: Place, prepare: (database: Database) => Promise<void>): Promise<Database> {
  const database = createKnex(url ? onServer(url, ANSWER_TIMEOUT_MS) : sqlite(dataDir))
  try {
    await prepare(database)
  } catch (cause) {
    await database.destroy()
    throw cannotUse(cause, url ? 'DATABASE_URL' : 'DATA_DIR')
  }
  return database
}

async function migrate(database: Database, { url }: Place, { applied, pending }: SchemaState, log?: Logger) {
  // Without a time limit: a migration of a large table takes long.
  const unlimited = url ? createKnex(onServer(url)) : database
  const since = performance.now()
  if (applied.length) log?.info({ migrations: pending }, 'changing the schema of the database')
  try {
    await unlimited.migrate.latest({ migrationSource })
  } finally {
    if (url) await unlimited.destroy()
  }
  log?.info({ migrations: pending, ms: Math.round(performance.now() - since) }, 'changed the schema of the database')
}

/**
 * Returns the error for a database that cannot be opened or read, for the operator: ServerAway if waiting can help. A
 * StartError is returned unchanged.
 */
export function cannotUse(cause: unknown, variable: 'DATABASE_URL' | 'DATA_DIR'): StartError {
  if (cause instanceof StartError) return cause
  // A host with several addresses, none of which answers, gives an error with a code and no message.
  const { message, code } = cause instanceof Error ? (cause as NodeJS.ErrnoException) : { message: String(cause) }
  const reason = message || code || 'it does not answer'
  const Fault = variable === 'DATABASE_URL' && isUnavailable(cause) ? ServerAway : StartError
  return new Fault(`The database cannot be used: ${reason}. Check ${variable}.`, { cause })
}

/** Resolves when the database answers. */
export async function ping(database: Database): Promise<void> {
  await database.raw('select 1')
}

const fileIn = (dataDir: string) => join(dataDir, 'athanor.sqlite')

function sqlite(dataDir: string): Knex.Config {
  const filename = fileIn(dataDir)
  // SQLite creates its other files with the mode of this one. Nobody has it open yet, so closing it releases no lock.
  if (!existsSync(filename)) closeSync(openSync(filename, 'a', 0o600))
  return {
    client: 'better-sqlite3',
    connection: { filename },
    useNullAsDefault: true,
    // Error messages are logged, so they must not contain the values of a statement.
    compileSqlOnError: false,
    pool: {
      min: 1,
      max: 1,
      afterCreate(connection: SQLite.Database, done: (error: unknown, made: unknown) => void) {
        // WAL with NORMAL keeps every commit if the process crashes. Only a power failure can lose the last ones.
        connection.pragma('journal_mode = WAL')
        connection.pragma('synchronous = NORMAL')
        connection.pragma('busy_timeout = 5000')
        connection.pragma('foreign_keys = ON')
        done(null, connection)
      },
    },
  }
}
