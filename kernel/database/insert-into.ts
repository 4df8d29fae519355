import type { Change } from './transact.ts'

/**
 * Makes the statement that inserts a row with exactly these columns. Its text is built once, from names in the code.
 * Names are quoted in a way that SQLite and MySQL both accept, because `key` is a keyword of SQL.
 */
export function insertInto<Row extends { [Column in keyof Row]: Change['values'][number] }>(
  table: string,
  columns: Record<keyof Row & string, true>,
): (row: Row) => Change {
  const names = Object.keys(columns) as (keyof Row & string)[]
  const quoted = names.map((name) => `\`${name}\``).join(', ')
  const sql = `insert into ${table} (${quoted}) values (${names.map(() => '?').join(', ')})`
  return (row) => ({ sql, values: names.map((name) => row[name]) })
}
