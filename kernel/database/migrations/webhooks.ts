import type { Knex } from 'knex'
import { ascii } from './columns.ts'

/** Creates the tables of endpoints for events, and of what is delivered to them. */
export async function createWebhookTables(knex: Knex): Promise<void> {
  await knex.schema.createTable('webhooks', (table) => {
    ascii(table, 'id', 40).primary()
    ascii(table, 'owner', 64).notNullable()
    table.text('url').notNullable()
    // Separated by spaces.
    ascii(table, 'events', 200).notNullable()
    // Sealed.
    ascii(table, 'secret', 200).notNullable()
    ascii(table, 'old_secret', 200)
    table.bigInteger('old_until')
    table.boolean('active').notNullable()
    table.bigInteger('created_at').notNullable()
    table.index(['owner'], 'webhooks_by_owner')
  })
  await knex.schema.createTable('webhook_deliveries', (table) => {
    ascii(table, 'id', 40).primary()
    ascii(table, 'webhook', 40).notNullable()
    ascii(table, 'type', 40).notNullable()
    // Id of what the event is about.
    ascii(table, 'subject', 64).notNullable()
    table.text('data', 'mediumtext').notNullable()
    ascii(table, 'status', 16).notNullable()
    table.integer('attempts').notNullable()
    table.integer('last_status')
    table.string('last_error', 300)
    table.bigInteger('created_at').notNullable()
    // Null: there is no further attempt.
    table.bigInteger('next_at')
    table.bigInteger('expires_at').notNullable()
    // The same event has one id for each endpoint.
    table.unique(['webhook', 'subject', 'type'], { indexName: 'webhook_deliveries_by_event' })
    table.index(['next_at'], 'webhook_deliveries_due')
    table.index(['expires_at'], 'webhook_deliveries_expiry')
  })
  // Until all conversions of a request are accepted, none of them is the last one of its batch.
  await knex.schema.alterTable('batches', (table) => {
    table.boolean('starting').notNullable().defaultTo(false)
  })
}
