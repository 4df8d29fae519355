import type { Change } from './work.ts'

/**
 * Makes the statement that inserts a row with exactly these columns. Its text is built once, from names in the code.
 * Names are quoted in a way that SQLite and MySQL both accept, because `key` is a keyword of SQL.
 *
 * @param condition If given, SQL that must hold; otherwise no row is inserted. The caller passes the values of its `?`.
 */
export function insertInto<Row extends { [Column in keyof Row]: Change['values'][number] }>(
  table: string,
  columns: Record<keyof Row & string, true>,
  condition?: string,
): (row: Row, bounds?: Change['values']) => Change {
  const names = Object.keys(columns) as (keyof Row & string)[]
  const quoted = names.map((name) => `\`${name}\``).join(', ')
  const marks = names.map(() => '?').join(', ')
  // A condition needs a table on some servers, and `dual` is unknown to SQLite.
  const values = condition ? `select ${marks} from (select 1 as one) as it where ${condition}` : `values (${marks})`
  const sql = `insert into ${table} (${quoted}) ${values}`
  return (row, bounds = []) => ({ sql, values: [...names.map((name) => row[name]), ...bounds], usual: 1 })
}
