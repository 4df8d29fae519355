import type { Knex } from 'knex'
import { ascii } from '../columns.ts'

/** The runs of engines for a conversion. A separate table, because conversions are read often and their trails rarely. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('trails', (table) => {
    ascii(table, 'conversion', 40).primary()
    table.text('runs', 'mediumtext').notNullable()
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('trails')
}
