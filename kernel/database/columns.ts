import type { Knex } from 'knex'

/**
 * Adds a column for keys and identifiers: ASCII, compared byte by byte, and short enough for an index on every server.
 * @param length In characters.
 */
export const ascii = (table: Knex.CreateTableBuilder, name: string, length: number) =>
  isMysql(table)
    ? table.specificType(name, `varchar(${length}) character set ascii collate ascii_bin`)
    : table.string(name, length)

const isMysql = (table: any) => table.client?.config?.client === 'mysql2'
