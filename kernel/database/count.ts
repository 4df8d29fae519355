import type { Knex } from 'knex'

/** Returns the number of rows that a query matches. */
export async function countRows(query: Knex.QueryBuilder): Promise<number> {
  const [row] = await query.count({ rows: '*' })
  return Number(row.rows)
}
