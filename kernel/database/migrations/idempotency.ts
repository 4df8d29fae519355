import type { Knex } from 'knex'
import { ascii } from './columns.ts'

/** Creates the table of keys that clients send with requests. */
export async function createIdempotencyKeys(knex: Knex): Promise<void> {
  await knex.schema.createTable('idempotency_keys', (table) => {
    ascii(table, 'id', 64).primary()
    ascii(table, 'owner', 64).notNullable()
    ascii(table, 'holder', 36).notNullable()
    ascii(table, 'fingerprint', 64)
    ascii(table, 'record', 255)
    // The answer of a batch has an entry for each of its files.
    table.text('answer', 'mediumtext')
    table.bigInteger('held_until').notNullable()
    table.bigInteger('expires_at').notNullable()
    table.index(['owner'], 'idempotency_keys_by_owner')
    table.index(['expires_at'], 'idempotency_keys_expiry')
  })
}
