import type { Knex } from 'knex'
import { ascii } from '../columns.ts'

/** What each node is for, and what it can convert. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('nodes', (table) => {
    ascii(table, 'role', 8).notNullable().defaultTo('all')
    table.text('abilities', 'mediumtext')
    ascii(table, 'abilities_digest', 16)
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('nodes', (table) => {
    for (const name of ['role', 'abilities', 'abilities_digest']) table.dropColumn(name)
  })
}
