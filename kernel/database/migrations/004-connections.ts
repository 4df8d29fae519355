import type { Knex } from 'knex'
import { ascii } from '../columns.ts'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('connections', (table) => {
    ascii(table, 'owner', 64).notNullable()
    ascii(table, 'provider', 32).notNullable()
    // Encrypted with the service's secret.
    table.text('secret').notNullable()
    table.bigInteger('created_at').notNullable()
    table.primary(['owner', 'provider'])
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('connections')
}
