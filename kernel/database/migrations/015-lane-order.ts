import type { Knex } from 'knex'

/** Nodes read the first waiting conversions of a lane in their order. SQLite has one node, which reads none. */
export async function up(knex: Knex): Promise<void> {
  if (knex.client.config.client !== 'mysql2') return
  await knex.schema.alterTable('conversions', (table) => {
    table.index(['lane', 'status', 'heavy', 'seq'], 'conversions_by_lane_order')
    table.dropIndex(['lane', 'status'], 'conversions_by_lane')
  })
}

export async function down(knex: Knex): Promise<void> {
  if (knex.client.config.client !== 'mysql2') return
  await knex.schema.alterTable('conversions', (table) => {
    table.index(['lane', 'status'], 'conversions_by_lane')
    table.dropIndex([], 'conversions_by_lane_order')
  })
}
