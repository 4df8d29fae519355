import type { Knex } from 'knex'
import { ascii } from '../columns.ts'

/**
 * Creates the tables of uploads, and of what subjects use: an account, or the address or the fingerprint of a guest.
 */
export async function createFileTables(knex: Knex): Promise<void> {
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
    // Subjects of stored_bytes that were charged, separated by spaces. Without them, nothing is refunded.
    ascii(table, 'charged_to', 200)
    // SHA-256, where the storage compares it.
    table.string('sha256', 64)
    // The sweeper searches for expired rows.
    table.index(['expires_at'], 'files_expiry')
    // When the first of an owner's files expires.
    table.index(['owner', 'expires_at'], 'files_by_owner')
  })
  await knex.schema.createTable('stored_bytes', (table) => {
    ascii(table, 'subject', 64).primary()
    table.bigInteger('bytes').notNullable()
  })
  await knex.schema.createTable('quota_use', (table) => {
    ascii(table, 'subject', 64).notNullable()
    // Days since 1970-01-01, UTC.
    table.integer('day').notNullable()
    table.integer('conversions').notNullable()
    table.bigInteger('bytes').notNullable()
    // Invitations by an account on that day, or invitation mails to an address.
    table.integer('invitations').notNullable().defaultTo(0)
    table.primary(['subject', 'day'])
    // The sweeper searches for past days.
    table.index(['day'], 'quota_use_by_day')
  })
  await knex.schema.createTable('resumable_uploads', (table) => {
    ascii(table, 'id', 36).primary()
    ascii(table, 'owner', 64).notNullable()
    table.bigInteger('size')
    table.bigInteger('received').notNullable()
    // A header of 16 KiB: as JSON, it can be several times as long.
    table.text('metadata', 'mediumtext')
    ascii(table, 'plan', 16).notNullable()
    ascii(table, 'charged_to', 200).notNullable()
    table.bigInteger('reserved').notNullable()
    ascii(table, 'file_key', 255)
    table.text('outcome')
    table.integer('fence').notNullable().defaultTo(0)
    table.bigInteger('locked_until').notNullable().defaultTo(0)
    table.boolean('wanted').notNullable().defaultTo(false)
    table.bigInteger('created_at').notNullable()
    table.bigInteger('expires_at').notNullable()
    table.index(['owner'], 'resumable_uploads_by_owner')
    table.index(['expires_at'], 'resumable_uploads_expiry')
  })
}
