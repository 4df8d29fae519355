import type { Knex } from 'knex'
import { ascii } from './migrations/columns.ts'
import { createIdempotencyKeys } from './migrations/idempotency.ts'
import { createAccountTables } from './migrations/initial/accounts.ts'
import { createConversionTables } from './migrations/initial/conversions.ts'
import { createFileTables } from './migrations/initial/files.ts'
import { createWebhookTables } from './migrations/webhooks.ts'

/** Creates the schema of the first release. */
async function createSchema(knex: Knex): Promise<void> {
  await createAccountTables(knex)
  await createFileTables(knex)
  await createConversionTables(knex)
}

/** Adds what reports say of the work on conversions, beside the runs of engines: one statement writes both. */
async function addReports(knex: Knex): Promise<void> {
  // Null: an earlier version wrote the row, maybe on another node.
  await knex.schema.alterTable('trails', (table) => void table.text('report', 'mediumtext'))
}

/** Adds the id of the request that started a conversion, for the log lines of all nodes. */
async function addRequestIds(knex: Knex): Promise<void> {
  await knex.schema.alterTable('conversions', (table) => void ascii(table, 'request_id', 64))
}

/** Adds the places in a trace at which conversions and deliveries began (W3C Trace Context). */
async function addTraces(knex: Knex): Promise<void> {
  for (const name of ['conversions', 'webhook_deliveries']) {
    await knex.schema.alterTable(name, (table) => {
      ascii(table, 'traceparent', 55)
      ascii(table, 'tracestate', 512)
    })
  }
}

/** Adds when a conversion was last claimed: what has hardly run is free when it is cancelled. */
async function addClaimTimes(knex: Knex): Promise<void> {
  await knex.schema.alterTable('conversions', (table) => void table.bigInteger('claimed_at'))
}

/** All migrations in order. A released name never changes. */
const migrations: Record<string, (knex: Knex) => Promise<void>> = {
  '001-initial': createSchema,
  '002-idempotency': createIdempotencyKeys,
  '003-webhooks': createWebhookTables,
  '004-reports': addReports,
  '005-request-ids': addRequestIds,
  '006-traces': addTraces,
  '007-claim-times': addClaimTimes,
}

/** Migrations as modules, so that knex need not search the disk. None goes back: operators restore a backup. */
export const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: async () => Object.keys(migrations),
  getMigrationName: (name) => name,
  // biome-ignore lint/style/noNonNullAssertion: knex asks for names that it got from here.
  getMigration: async (name) => ({ up: migrations[name]!, down: async () => {} }),
}

/** Names of the migrations that this version knows, in order. */
export const migrationNames: readonly string[] = Object.keys(migrations)
