import type { Knex } from 'knex'
import { ascii, isServer } from '../columns.ts'

/** Creates the tables of conversions, their batches, and the nodes that run them. */
export async function createConversionTables(knex: Knex): Promise<void> {
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
    // SHA-256, where the storage compares it.
    table.string('source_sha256', 64)
    table.string('name', 255).notNullable()
    table.boolean('heavy').notNullable()
    table.integer('attempts').notNullable().defaultTo(0)
    // Counts the claims. It only rises, which distinguishes the current claim from expired ones.
    table.integer('fence').notNullable().defaultTo(0)
    // The node that has claimed it.
    ascii(table, 'node', 40)
    // Who shares its limit of pending conversions.
    ascii(table, 'lane', 64)
    // Subjects of quota_use that were charged, separated by spaces. Without them, nothing is refunded.
    ascii(table, 'charged_to', 200)
    ascii(table, 'batch', 40)
    // The folder of its result in the ZIP of its batch.
    table.text('folder')
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
    table.index(['batch', 'id'], 'conversions_by_batch')
    // Downloads find an output by its key.
    table.index(['output_key'], 'conversions_by_output')
    // Deleting an upload ends the queued conversions that need it.
    table.index(['source_key', 'status'], 'conversions_by_source')
    table.index(['expires_at'], 'conversions_expiry')
    if (isServer(knex)) {
      // The order of the database: the clocks of several nodes may differ.
      table.specificType('seq', 'bigint unsigned not null auto_increment unique')
      // Nodes find the waiting conversions of each lane in their order, and the interrupted ones.
      table.index(['status', 'lane', 'heavy', 'seq'], 'conversions_waiting')
      table.index(['status', 'attempts', 'seq'], 'conversions_by_attempts')
    } else {
      // SQLite has one service, whose identifiers are in order.
      table.index(['status', 'id'], 'conversions_by_status')
      table.index(['lane', 'status'], 'conversions_by_lane')
    }
  })
  // A separate table, because conversions are read often and the runs of their engines rarely.
  await knex.schema.createTable('trails', (table) => {
    ascii(table, 'conversion', 40).primary()
    table.text('runs', 'mediumtext').notNullable()
  })
  await knex.schema.createTable('batches', (table) => {
    ascii(table, 'id', 40).primary()
    ascii(table, 'owner', 64).notNullable()
    // Accepted conversions, and how many of them have ended in each way. Deleted conversions still count.
    table.integer('total').notNullable()
    table.integer('completed').notNullable()
    table.integer('failed').notNullable()
    table.bigInteger('created_at').notNullable()
    table.bigInteger('expires_at').notNullable()
    // The conversions of a batch that was made to download results that existed already.
    table.text('chosen', 'mediumtext')
    table.index(['expires_at'], 'batches_expiry')
  })
  // One row that admissions lock when the queue is nearly full, so that nodes cannot exceed its capacity together.
  await knex.schema.createTable('admission_lock', (table) => {
    table.integer('id').primary()
  })
  await knex('admission_lock').insert({ id: 1 })
  await knex.schema.createTable('nodes', (table) => {
    // Rises with each registration, whatever the clocks of the nodes say.
    table.increments('number')
    ascii(table, 'id', 40).notNullable().unique({ indexName: 'nodes_by_id' })
    table.string('host', 255).notNullable()
    ascii(table, 'version', 32).notNullable()
    ascii(table, 'secret', 64).notNullable()
    ascii(table, 'role', 8).notNullable()
    table.integer('light_workers').notNullable()
    table.integer('heavy_workers').notNullable()
    // What it can convert, as JSON, and a digest of that.
    table.text('abilities', 'mediumtext')
    ascii(table, 'abilities_digest', 16)
    table.bigInteger('started_at').notNullable()
    table.bigInteger('seen_at').notNullable()
  })
}
