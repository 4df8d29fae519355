import type { Knex } from 'knex'

/**
 * Adds what reports say of the work on conversions, beside the runs of engines: both are written by one statement, and
 * go with the record.
 */
export async function addReports(knex: Knex): Promise<void> {
  await knex.schema.alterTable('trails', (table) => {
    // Null: an earlier version wrote the row, maybe on another node.
    table.text('report', 'mediumtext')
  })
}
