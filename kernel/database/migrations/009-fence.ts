import type { Knex } from 'knex'

/** Counts the claims of a conversion. It only rises, which distinguishes the current claim from expired ones. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('conversions', (table) => {
    table.integer('fence').notNullable().defaultTo(0)
  })
  await knex('conversions').update({ fence: knex.ref('attempts') })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('conversions', (table) => table.dropColumn('fence'))
}
