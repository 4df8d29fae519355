import type { Knex } from 'knex'

/** The conversions of a batch that was made to download results that existed already. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('batches', (table) => {
    table.text('chosen', 'mediumtext')
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('batches', (table) => table.dropColumn('chosen'))
}
