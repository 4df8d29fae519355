import type { Knex } from 'knex'
import { ascii } from '../columns.ts'

/** Nodes that share the database, and the node that has claimed a conversion. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('nodes', (table) => {
    // Rises with each registration, whatever the clocks of the nodes say.
    table.increments('number')
    ascii(table, 'id', 40).notNullable().unique({ indexName: 'nodes_by_id' })
    table.string('host', 255).notNullable()
    ascii(table, 'version', 32).notNullable()
    ascii(table, 'secret', 64).notNullable()
    table.integer('light_workers').notNullable()
    table.integer('heavy_workers').notNullable()
    table.bigInteger('started_at').notNullable()
    table.bigInteger('seen_at').notNullable()
  })
  await knex.schema.alterTable('conversions', (table) => {
    ascii(table, 'node', 40)
  })
  // SQLite has one node, whose identifiers are in order.
  if (knex.client.config.client === 'mysql2') {
    await knex.raw(
      'alter table conversions add column seq bigint unsigned not null auto_increment, ' +
        'add unique index conversions_by_seq (seq)',
    )
  }
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('conversions', (table) => {
    table.dropColumn('node')
    if (knex.client.config.client === 'mysql2') table.dropColumn('seq')
  })
  await knex.schema.dropTable('nodes')
}
