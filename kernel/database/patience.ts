import type { Connection } from 'mysql2'

type Query = (statement: string | object, ...rest: unknown[]) => unknown
type Done = (error: NodeJS.ErrnoException | null, ...result: unknown[]) => void

/**
 * Limits how long statements wait for a server that hangs. A late one fails with PROTOCOL_SEQUENCE_TIMEOUT, and the
 * connection is closed, because the answer could still arrive on it.
 *
 * @param limit Milliseconds that a statement may take. @param bounded Whether that applies now. A migration may take longer.
 */
export function bePatient(connection: Connection, limit: number, bounded: () => boolean): void {
  const query = connection.query.bind(connection) as Query
  const within: Query = (statement, ...rest) => {
    const done = rest.at(-1) as Done
    if (!bounded() || typeof done !== 'function') return query(statement, ...rest)
    const options = typeof statement === 'string' ? { sql: statement } : statement
    return query({ ...options, timeout: limit }, ...rest.slice(0, -1), ((error, ...result) => {
      if (error?.code === 'PROTOCOL_SEQUENCE_TIMEOUT') connection.destroy()
      done(error, ...result)
    }) satisfies Done)
  }
  Object.assign(connection, { query: within })
}
