import type { Knex } from 'knex'

/** One row that admissions of conversions lock when the queue is nearly full, so that nodes cannot exceed its capacity together. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('admission_lock', (table) => {
    table.integer('id').primary()
    table.bigInteger('held').notNullable()
  })
  // A start may have inserted it that was killed before it could record the migration.
  await knex('admission_lock').insert({ id: 1, held: 0 }).onConflict('id').ignore()
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('admission_lock')
}
