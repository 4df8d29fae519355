import type { Knex } from 'knex'
import type { Connection } from 'mysql2'
import { bePatient, serverLimits } from './patience.ts'
import { acceptMade } from './resume.ts'
import { serverOf } from './server.ts'

/** Milliseconds that a statement on a server may take. */
const PATIENCE = 10_000

/** How the connections to a server work now. */
export interface Manner {
  /** Whether statements have time limits: a migration may take longer. */
  bounded: boolean
  /** Whether a migration runs that may have been begun before. */
  resumes: boolean
}

export const BOUNDED: Readonly<Manner> = { bounded: true, resumes: false }

/** Returns how knex uses a server. @param manner May change later. @param patience In milliseconds. */
export function onServer(url: string, manner: Readonly<Manner>, patience = PATIENCE): Knex.Config {
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
        const { bounded } = manner
        if (bounded) bePatient(connection, patience)
        else acceptMade(connection, () => manner.resumes)
        beginSession(connection, bounded ? serverLimits(patience) : []).then(
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
