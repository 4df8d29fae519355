import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import knexPackage, { type Knex } from 'knex'
import { StartError } from '../errors.ts'
import { migrationSource } from './migrations.ts'
import { BOUNDED, onServer } from './on-server.ts'
import { readSchema, refuseForeign, refuseOccupied, type SchemaState } from './schema-state.ts'

// knex is a CommonJS module, and its default export is the factory.
const createKnex = knexPackage as unknown as (config: Knex.Config) => Knex

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
 * @throws StartError if it cannot be reached or migrated, was written by a newer version, or is locked.
 */
export const openDatabase = (
  place: Place,
  check: (database: Database, schema: SchemaState) => Promise<void> = async () => {},
): Promise<Database> =>
  open(place, async (database, { withoutLimits, resuming }) => {
    const schema = await readSchema(database)
    refuseForeign(schema)
    if (place.url && !schema.begun) await refuseOccupied(database)
    await check(database, schema)
    // Nearly every start finds nothing to migrate, and knex would ask for that with a dozen statements.
    if (!schema.pending.length) return
    await withoutLimits(async () => {
      // Only the first one can have been begun. Any other that finds its tables made has found those of another program.
      if (schema.begun) await resuming(() => database.migrate.up({ migrationSource }))
      await database.migrate.latest({ migrationSource })
    })
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
  return place.url || existsSync(fileIn(place.dataDir)) ? open(place, (database) => look(database)) : undefined
}

/**
 * Opens another connection to a server whose schema is up to date, for statements that must not wait for others.
 *
 * @param patience Milliseconds that connecting and each statement may take, from 2000 on.
 */
export function openBeside(url: string, patience: number): Database {
  const { connection, pool, ...config } = onServer(url, BOUNDED, patience)
  return createKnex({
    ...config,
    connection: { ...(connection as object), connectTimeout: patience },
    acquireConnectionTimeout: patience,
    pool: { ...pool, max: 1 },
  })
}

/** Runs work in a special manner. */
type InManner = (work: () => Promise<unknown>) => Promise<void>

async function open(
  { url, dataDir }: Place,
  prepare: (database: Database, how: { withoutLimits: InManner; resuming: InManner }) => Promise<void>,
): Promise<Database> {
  const manner = { ...BOUNDED }
  const database = createKnex(url ? onServer(url, manner) : sqlite(dataDir))
  async function withoutLimits(work: () => Promise<unknown>): Promise<void> {
    manner.bounded = false
    if (url) await reconnect(database)
    await work()
    manner.bounded = true
    if (url) await reconnect(database)
  }
  async function resuming(work: () => Promise<unknown>): Promise<void> {
    manner.resumes = true
    await work()
    manner.resumes = false
  }
  try {
    await prepare(database, { withoutLimits, resuming })
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
