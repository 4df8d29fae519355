import type { Knex } from 'knex'

/** Counts the claims of a conversion. It only rises, so a claim that is over can be told from the one that stands. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('conversions', (table) => {
    table.integer('fence').notNullable().defaultTo(0)
  })
  await knex('conversions').update({ fence: knex.ref('attempts') })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('conversions', (table) => table.dropColumn('fence'))
}
