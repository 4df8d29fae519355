import type { Knex } from 'knex'

/** The folder of a conversion's result in the ZIP of its batch. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('conversions', (table) => {
    table.text('folder')
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('conversions', (table) => table.dropColumn('folder'))
}
