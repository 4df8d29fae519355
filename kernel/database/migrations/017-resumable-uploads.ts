import type { Knex } from 'knex'
import { ascii } from '../columns.ts'

/** Resumable uploads that several nodes receive, and the pieces of them that are stored. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('resumable_uploads', (table) => {
    // `<owner>/<name>`
    ascii(table, 'id', 110).primary()
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
    // The sweeper searches for expired rows.
    table.index(['expires_at'], 'resumable_uploads_expiry')
  })
  await knex.schema.createTable('resumable_pieces', (table) => {
    ascii(table, 'key', 200).primary()
    ascii(table, 'upload', 110).notNullable()
    table.bigInteger('start').notNullable()
    table.bigInteger('size').notNullable()
    ascii(table, 'sha256', 64)
    table.boolean('counts').notNullable()
    table.index(['upload', 'counts', 'start'], 'resumable_pieces_by_upload')
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('resumable_pieces')
  await knex.schema.dropTable('resumable_uploads')
}
