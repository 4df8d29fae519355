import type { Connection, ResultSetHeader, RowDataPacket } from 'mysql2'
import type { Database } from './database.ts'

/** Runs a statement. Resolves to its rows; to the sets of rows and a header for a compound one with rows; or to a header. */
export type RunStatement = (
  sql: string,
  values?: readonly (string | number | null)[],
) => Promise<ResultSetHeader | RowDataPacket[]>

/**
 * Runs statements on one connection to a server, without knex: a statement of knex takes twice the processor time, mostly for the
 * objects that it makes.
 */
export async function onConnection<T>(
  { client }: Database,
  run: (ask: RunStatement, connection: Connection) => Promise<T>,
): Promise<T> {
  const connection: Connection = await client.acquireConnection()
  const ask: RunStatement = (sql, values = []) =>
    new Promise((resolve, reject) =>
      connection.query<ResultSetHeader | RowDataPacket[]>(sql, [...values], (error, result) =>
        error ? reject(error) : resolve(result),
      ),
    )
  try {
    return await run(ask, connection)
  } finally {
    await client.releaseConnection(connection)
  }
}

/** Runs one statement on any connection to a server, and resolves to its rows, as far as it has any. */
export async function askDirectly(
  database: Database,
  sql: string,
  values: readonly (string | number | null)[],
): Promise<RowDataPacket[]> {
  const answer = await onConnection(database, (ask) => ask(sql, values))
  return Array.isArray(answer) ? answer : []
}
