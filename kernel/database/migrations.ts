import type { Knex } from 'knex'
import { createInitialSchema } from './migrations/001-initial.ts'

/** All migrations in order. A released name never changes. */
const migrations: Record<string, (knex: Knex) => Promise<void>> = {
  '001-initial': createInitialSchema,
}

/** Migrations as modules, so that knex need not search the disk. None goes back: operators restore a backup. */
export const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: async () => Object.keys(migrations),
  getMigrationName: (name) => name,
  getMigration: async (name) => ({ up: migrations[name]!, down: async () => {} }),
}

/** Names of the migrations that this version knows, in order. */
export const migrationNames: readonly string[] = Object.keys(migrations)
