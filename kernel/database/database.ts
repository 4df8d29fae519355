import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import knexPackage, { type Knex } from 'knex'
import type { Connection } from 'mysql2'
import { StartError } from '../errors.ts'
import { migrationSource } from './migrations.ts'
import { bePatient, serverLimits } from './patience.ts'
import { readSchema, refuseForeign, type SchemaState } from './schema-state.ts'
import { serverOf } from './server.ts'

// knex is a CommonJS module, and its default export is the factory.
const createKnex = knexPackage as unknown as (config: Knex.Config) => Knex

export type Database = Knex

/** Milliseconds that a statement on a server may take. */
const PATIENCE = 10_000

/** Location of the database: SQLite in `dataDir`, or MySQL 8 / MariaDB 10.6+ at `url`. */
export interface Place {
  url: string | undefined
  dataDir: string
}

/**
 * Opens the database and updates its schema.
 *
 * @param check Runs before the schema changes. If it throws, nothing changes.
 * @throws StartError if it cannot be reached or migrated, was written by a newer version, or is locked.
 */
export const openDatabase = (
  place: Place,
  check: (database: Database, schema: SchemaState) => Promise<void> = async () => {},
): Promise<Database> =>
  open(place, async (database, withoutLimits) => {
    const schema = await readSchema(database)
    refuseForeign(schema)
    await check(database, schema)
    // Nearly every start finds nothing to migrate, and knex would ask for that with a dozen statements.
    if (schema.pending.length) await withoutLimits(() => database.migrate.latest({ migrationSource }))
  })

/**
 * Opens a database without changing its schema. Resolves to undefined if there is none, and creates none.
 *
 * @throws StartError if it cannot be reached, or `look` refuses it.
 */
export async function openExisting(
  place: Place,
  look: (database: Database) => Promise<void>,
): Promise<Database | undefined> {
  return place.url || existsSync(fileIn(place.dataDir)) ? open(place, look) : undefined
}

/**
 * Opens another connection to a server whose schema is up to date, for statements that must not wait for others.
 *
 * @param patience Milliseconds that connecting and each statement may take, from 2000 on.
 */
export function openBeside(url: string, patience: number): Database {
  const { connection, pool, ...config } = mysql(url, () => true, patience)
  return createKnex({
    ...config,
    connection: { ...(connection as object), connectTimeout: patience },
    acquireConnectionTimeout: patience,
    pool: { ...pool, max: 1 },
  })
}

async function open(
  { url, dataDir }: Place,
  prepare: (database: Database, withoutLimits: (work: () => Promise<unknown>) => Promise<void>) => Promise<void>,
): Promise<Database> {
  let bounded = true
  const database = createKnex(url ? mysql(url, () => bounded) : sqlite(dataDir))
  /** Work on connections without time limits. */
  async function withoutLimits(work: () => Promise<unknown>): Promise<void> {
    bounded = false
    if (url) await reconnect(database)
    await work()
    bounded = true
    if (url) await reconnect(database)
  }
  try {
    await prepare(database, withoutLimits)
  } catch (cause) {
    await database.destroy()
    throw cannotUse(cause, url ? 'DATABASE_URL' : 'DATA_DIR')
  }
  return database
}

async function reconnect(database: Database): Promise<void> {
  await database.destroy()
  database.initialize()
}

/** Returns the error for a database that cannot be opened or read, for the operator. A StartError is returned unchanged. */
export function cannotUse(cause: unknown, variable: 'DATABASE_URL' | 'DATA_DIR'): StartError {
  if (cause instanceof StartError) return cause
  // A host with several addresses, none of which answers, gives an error with a code and no message.
  const { message, code } = cause instanceof Error ? (cause as NodeJS.ErrnoException) : { message: String(cause) }
  const reason = message || code || 'it does not answer'
  return new StartError(`The database cannot be used: ${reason}. Check ${variable}.`, { cause })
}

/** Resolves when the database answers. */
export const ping = async (database: Database): Promise<void> => void (await database.raw('select 1'))

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
      afterCreate(connection: { pragma: (text: string) => unknown }, done: (error: unknown, made: unknown) => void) {
        // WAL with NORMAL keeps every commit if the process crashes. Only a power failure can lose the last ones.
        for (const pragma of [
          'journal_mode = WAL',
          'synchronous = NORMAL',
          'busy_timeout = 5000',
          'foreign_keys = ON',
        ]) {
          connection.pragma(pragma)
        }
        done(null, connection)
      },
    },
  }
}

/** @param bounded Whether new connections have time limits now: a migration may take longer. @param patience In milliseconds. */
function mysql(url: string, bounded: () => boolean, patience = PATIENCE): Knex.Config {
  return {
    client: 'mysql2',
    connection: serverOf(url) as Knex.MySql2ConnectionConfig,
    acquireConnectionTimeout: 5000,
    compileSqlOnError: false,
    // By default it prints to stdout, also errors that it throws.
    log: { warn() {}, error() {}, deprecate() {}, debug() {} },
    pool: {
      min: 0,
      max: 8,
      afterCreate(connection: Connection, done: (error: unknown, made: unknown) => void) {
        if (bounded()) bePatient(connection, patience)
        beginSession(connection, bounded() ? serverLimits(patience) : []).then(
          () => done(null, connection),
          (error) => done(error, connection),
        )
      },
    },
  }
}

/** Sets what all sessions have, and the limits that the server knows. */
async function beginSession(connection: Connection, limits: readonly string[]): Promise<void> {
  const set = (settings: string) =>
    new Promise<void>((resolve, reject) =>
      connection.query(`SET ${settings}`, (error) => (error ? reject(error) : resolve())),
    )
  const settings = [
    "SESSION sql_mode = 'STRICT_ALL_TABLES'",
    ...limits,
    'SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  ]
  try {
    await set(settings.join(', '))
  } catch {
    // Some servers accept only one kind of assignment in a statement, and MySQL does not know every limit.
    for (const setting of settings) {
      await set(setting).catch((error) => {
        if (error.code !== 'ER_UNKNOWN_SYSTEM_VARIABLE') throw error
      })
    }
  }
}
