import type { Connection } from 'mysql2'

type Done = (error: NodeJS.ErrnoException | null, ...result: unknown[]) => void
type Query = (statement: unknown, ...rest: unknown[]) => unknown

/** Errors of a statement whose change of the schema is there already: a table, a column, an index, a key; or nothing to drop. */
const MADE: ReadonlySet<unknown> = new Set([
  ...['ER_TABLE_EXISTS_ERROR', 'ER_DUP_FIELDNAME', 'ER_DUP_KEYNAME', 'ER_MULTIPLE_PRI_KEY'],
  'ER_CANT_DROP_FIELD_OR_KEY',
])

/**
 * Lets a migration run again that a start had begun and not ended. On a server, each statement that changes the schema commits
 * at once and as a whole. So those that had run fail now, and count as done.
 *
 * @param resumes Whether the migration that runs now was begun before.
 */
export function acceptMade(connection: Connection, resumes: () => boolean): void {
  const query = connection.query.bind(connection) as Query
  const accepting: Query = (statement, ...rest) => {
    const done = rest.at(-1) as Done
    if (typeof done !== 'function') return query(statement, ...rest)
    return query(statement, ...rest.slice(0, -1), ((error, ...result) => {
      if (error && resumes() && MADE.has(error.code)) done(null, { affectedRows: 0 }, undefined)
      else done(error, ...result)
    }) satisfies Done)
  }
  Object.assign(connection, { query: accepting })
}
