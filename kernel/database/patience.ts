import type { Connection } from 'mysql2'

/** Milliseconds that a statement waits for its answer. */
const PATIENCE = 10_000

type Query = (statement: string | object, ...rest: unknown[]) => unknown
type Done = (error: NodeJS.ErrnoException | null, ...result: unknown[]) => void

/**
 * Lets no statement of a connection wait longer for a server that hangs: it fails with PROTOCOL_SEQUENCE_TIMEOUT, and
 * the connection, on which the answer could still come, is given up.
 *
 * @param bounded Whether that is so now: a migration may take its time.
 */
export function bePatient(connection: Connection, bounded: () => boolean): void {
  const query = connection.query.bind(connection) as Query
  const within: Query = (statement, ...rest) => {
    const done = rest.at(-1) as Done
    if (!bounded() || typeof done !== 'function') return query(statement, ...rest)
    const options = typeof statement === 'string' ? { sql: statement } : statement
    return query({ ...options, timeout: PATIENCE }, ...rest.slice(0, -1), ((error, ...result) => {
      if (error?.code === 'PROTOCOL_SEQUENCE_TIMEOUT') connection.destroy()
      done(error, ...result)
    }) satisfies Done)
  }
  Object.assign(connection, { query: within })
}
