import type { Knex } from 'knex'
import { ascii } from '../columns.ts'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('files', (table) => {
    ascii(table, 'key', 255).primary()
    ascii(table, 'owner', 64).notNullable()
    table.string('name', 255).notNullable()
    ascii(table, 'mime', 127).notNullable()
    table.bigInteger('size').notNullable()
    ascii(table, 'format', 32).notNullable()
    ascii(table, 'category', 32).notNullable()
    table.bigInteger('created_at').notNullable()
    table.bigInteger('expires_at').notNullable()
    // The sweeper searches for expired rows.
    table.index(['expires_at'], 'files_expiry')
  })
  await knex.schema.createTable('conversions', (table) => {
    ascii(table, 'id', 40).primary()
    ascii(table, 'owner', 64).notNullable()
    // After a restart, the service counts again how many conversions of a kind an owner runs.
    ascii(table, 'plan', 16).notNullable()
    ascii(table, 'status', 16).notNullable()
    table.integer('progress').notNullable().defaultTo(0)
    ascii(table, 'category', 32).notNullable()
    ascii(table, 'from_format', 32).notNullable()
    ascii(table, 'to_format', 32).notNullable()
    ascii(table, 'intent', 16).notNullable()
    table.text('options').notNullable()
    ascii(table, 'source_key', 255).notNullable()
    table.bigInteger('source_size').notNullable()
    table.string('name', 255).notNullable()
    table.boolean('heavy').notNullable()
    table.integer('attempts').notNullable().defaultTo(0)
    ascii(table, 'output_key', 255)
    table.bigInteger('output_size')
    ascii(table, 'output_mime', 127)
    ascii(table, 'output_extension', 32)
    ascii(table, 'error_code', 32)
    table.string('error_message', 500)
    table.bigInteger('created_at').notNullable()
    table.bigInteger('completed_at')
    table.bigInteger('expires_at')
    // Lists: an owner's own conversions, newest first. Identifiers sort by time.
    table.index(['owner', 'id'], 'conversions_by_owner')
    table.index(['owner', 'status', 'id'], 'conversions_by_owner_status')
    // Recovery searches for queued and processing conversions, in order.
    table.index(['status', 'id'], 'conversions_by_status')
    // Downloads find an output by its key.
    table.index(['output_key'], 'conversions_by_output')
    // Deleting an upload ends the queued conversions that need it.
    table.index(['source_key', 'status'], 'conversions_by_source')
    table.index(['expires_at'], 'conversions_expiry')
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('conversions')
  await knex.schema.dropTable('files')
}
