import type { Knex } from 'knex'

/**
 * Adds a column for keys and identifiers: ASCII, compared byte by byte, and short enough for an index on every server.
 *
 * @param length In characters.
 */
export function ascii(table: Knex.CreateTableBuilder, name: string, length: number): Knex.ColumnBuilder {
  const { client } = (table as unknown as { client: Knex.Client }).client.config
  return client === 'mysql2'
    ? table.specificType(name, `varchar(${length}) character set ascii collate ascii_bin`)
    : table.string(name, length)
}

/** Whether a migration runs on MySQL or MariaDB, which several nodes can share. */
export const isServer = (knex: Knex): boolean => knex.client.config.client === 'mysql2'
