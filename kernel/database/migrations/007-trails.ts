import type { Knex } from 'knex'
import { ascii } from '../columns.ts'

/** What ran for a conversion. A table of its own: conversions are read often, and their trails hardly ever. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('trails', (table) => {
    ascii(table, 'conversion', 40).primary()
    table.text('runs', 'mediumtext').notNullable()
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('trails')
}
