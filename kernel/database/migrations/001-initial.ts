import type { Knex } from 'knex'
import { createAccountTables } from './initial/accounts.ts'
import { createConversionTables } from './initial/conversions.ts'
import { createFileTables } from './initial/files.ts'

/** The schema of the first release. */
export async function createInitialSchema(knex: Knex): Promise<void> {
  await createAccountTables(knex)
  await createFileTables(knex)
  await createConversionTables(knex)
}
