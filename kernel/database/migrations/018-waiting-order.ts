import type { Knex } from 'knex'

/**
 * Nodes find the owners with waiting conversions, and the interrupted conversions, without reading all that wait. SQLite
 * has one node, which reads neither.
 */
export async function up(knex: Knex): Promise<void> {
  if (knex.client.config.client !== 'mysql2') return
  await knex.schema.alterTable('conversions', (table) => {
    table.index(['status', 'lane', 'heavy', 'seq'], 'conversions_waiting')
    table.dropIndex([], 'conversions_by_lane_order')
    table.index(['status', 'attempts', 'seq'], 'conversions_by_attempts')
    table.dropIndex([], 'conversions_by_status')
  })
}

export async function down(knex: Knex): Promise<void> {
  if (knex.client.config.client !== 'mysql2') return
  await knex.schema.alterTable('conversions', (table) => {
    table.index(['status', 'id'], 'conversions_by_status')
    table.dropIndex([], 'conversions_by_attempts')
    table.index(['lane', 'status', 'heavy', 'seq'], 'conversions_by_lane_order')
    table.dropIndex([], 'conversions_waiting')
  })
}
