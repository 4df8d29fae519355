import type { Knex } from 'knex'

/** SHA-256 of an upload, and of the source of a conversion, where the storage compares it. Null: not known. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('files', (table) => {
    table.string('sha256', 64)
  })
  await knex.schema.alterTable('conversions', (table) => {
    table.string('source_sha256', 64)
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('conversions', (table) => table.dropColumn('source_sha256'))
  await knex.schema.alterTable('files', (table) => table.dropColumn('sha256'))
}
