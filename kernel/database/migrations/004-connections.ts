import type { Knex } from 'knex'

const isMysql = (table: any) => table.client?.config?.client === 'mysql2'

// Identifiers are ASCII: compared byte by byte, and short enough to be indexed on every server.
const ascii = (table: Knex.CreateTableBuilder, name: string, length: number) =>
  isMysql(table)
    ? table.specificType(name, `varchar(${length}) character set ascii collate ascii_bin`)
    : table.string(name, length)

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('connections', (table) => {
    ascii(table, 'owner', 64).notNullable()
    ascii(table, 'provider', 32).notNullable()
    // Sealed: it means nothing without the service's secret.
    table.text('secret').notNullable()
    table.bigInteger('created_at').notNullable()
    table.primary(['owner', 'provider'])
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('connections')
}
