import type { Connection } from 'mysql2'

type Query = (statement: string | object, ...rest: unknown[]) => unknown
type Done = (error: NodeJS.ErrnoException | null, ...result: unknown[]) => void

/** The part of the client's patience after which the server gives up. */
const SHARE = 0.8

/**
 * Limits how long statements wait for a server that hangs. A late one fails with PROTOCOL_SEQUENCE_TIMEOUT, and the
 * connection is closed, because the answer could still arrive on it.
 *
 * @param limit Milliseconds that a statement may take.
 */
export function bePatient(connection: Connection, limit: number): void {
  const query = connection.query.bind(connection) as Query
  const within: Query = (statement, ...rest) => {
    const done = rest.at(-1) as Done
    if (typeof done !== 'function') return query(statement, ...rest)
    const options = typeof statement === 'string' ? { sql: statement } : statement
    return query({ ...options, timeout: limit }, ...rest.slice(0, -1), ((error, ...result) => {
      if (error?.code === 'PROTOCOL_SEQUENCE_TIMEOUT') connection.destroy()
      done(error, ...result)
    }) satisfies Done)
  }
  Object.assign(connection, { query: within })
}

/**
 * Returns settings of a session with which the server gives up a statement that waits for locks before the client does. A
 * server does not notice that the client is gone while it waits, and would run and commit the statement afterwards. A
 * transaction whose client sends nothing more, such as one on a machine that lost its power, is given up as soon.
 *
 * MariaDB limits the whole statement, also a compound one. MySQL has no such limit and limits each lock.
 *
 * @param limit Milliseconds that the client waits, from 2000 on.
 */
export function serverLimits(limit: number): readonly string[] {
  // The limits of locks are whole seconds.
  const seconds = Math.floor((limit * SHARE) / 1000)
  const limits = ['max_statement_time', 'innodb_lock_wait_timeout', 'lock_wait_timeout', 'idle_transaction_timeout']
  return limits.map((name) => `SESSION ${name} = ${seconds}`)
}
