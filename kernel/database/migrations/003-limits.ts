import type { Knex } from 'knex'
import { ascii } from '../columns.ts'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('quota_use', (table) => {
    // An account, or the address or the fingerprint of a guest.
    ascii(table, 'subject', 64).notNullable()
    // Days since 1970-01-01, UTC.
    table.integer('day').notNullable()
    table.integer('conversions').notNullable()
    table.bigInteger('bytes').notNullable()
    table.primary(['subject', 'day'])
    // The sweeper searches for past days.
    table.index(['day'], 'quota_use_by_day')
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
    table.index(['expires_at'], 'batches_expiry')
  })
  await knex.schema.alterTable('conversions', (table) => {
    // Subjects of quota_use that were charged, separated by spaces. Without them, nothing is refunded.
    ascii(table, 'charged_to', 200)
    ascii(table, 'batch', 40)
    table.index(['batch', 'id'], 'conversions_by_batch')
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('conversions', (table) => {
    table.dropIndex(['batch', 'id'], 'conversions_by_batch')
    table.dropColumns('charged_to', 'batch')
  })
  await knex.schema.dropTable('batches')
  await knex.schema.dropTable('quota_use')
}
