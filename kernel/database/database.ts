import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import knexPackage, { type Knex } from 'knex'
import { StartError } from '../errors.ts'
import { migrationSource } from './migrations.ts'
import { bePatient } from './patience.ts'

// knex is CommonJS whose default export is the factory.
const createKnex = knexPackage as unknown as (config: Knex.Config) => Knex

export type Database = Knex

/**
 * Opens the database and brings its schema up to date: SQLite in `dataDir`, or MySQL 8 / MariaDB 10.6+ by URL.
 *
 * @throws StartError when it cannot be reached or migrated.
 */
export async function openDatabase({ url, dataDir }: { url: string | undefined; dataDir: string }): Promise<Database> {
  let migrated = false
  const database = createKnex(url ? mysql(url, () => migrated) : sqlite(dataDir))
  try {
    await database.migrate.latest({ migrationSource })
    migrated = true
  } catch (cause) {
    await database.destroy()
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StartError(`The database cannot be used: ${reason}. Check ${url ? 'DATABASE_URL' : 'DATA_DIR'}.`, {
      cause,
    })
  }
  return database
}

function sqlite(dataDir: string): Knex.Config {
  mkdirSync(dataDir, { recursive: true })
  return {
    client: 'better-sqlite3',
    connection: { filename: join(dataDir, 'athanor.sqlite') },
    useNullAsDefault: true,
    // Messages of errors are logged; the values of a statement are not.
    compileSqlOnError: false,
    pool: {
      min: 1,
      max: 1,
      afterCreate(connection: { pragma: (text: string) => unknown }, done: (error: unknown, made: unknown) => void) {
        // WAL with NORMAL keeps every commit through a crash of the process; only a power cut can cost the last ones.
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

/** @param bounded Whether statements have to be answered soon by now. */
function mysql(url: string, bounded: () => boolean): Knex.Config {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  const socketPath = searchParams.get('socketPath')
  return {
    client: 'mysql2',
    connection: {
      ...(socketPath ? { socketPath } : { host: hostname, port: Number(port || 3306) }),
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      database: decodeURIComponent(pathname.slice(1)),
      charset: 'utf8mb4',
      timezone: 'Z',
      // Sizes over 2^31 come back as numbers, as they do from SQLite.
      supportBigNumbers: true,
      connectTimeout: 5000,
    } as Knex.MySql2ConnectionConfig,
    acquireConnectionTimeout: 5000,
    compileSqlOnError: false,
    pool: {
      min: 0,
      max: 8,
      afterCreate(connection: any, done: (error: unknown, made: unknown) => void) {
        bePatient(connection, bounded)
        connection.query(
          "SET SESSION sql_mode = 'STRICT_ALL_TABLES', SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
          (error: unknown) => {
            if (!error) return done(null, connection)
            // Servers that take only one kind of assignment a statement.
            connection.query("SET SESSION sql_mode = 'STRICT_ALL_TABLES'", (first: unknown) =>
              connection.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED', (second: unknown) =>
                done(first ?? second, connection),
              ),
            )
          },
        )
      },
    },
  }
}
