import type { Knex } from 'knex'
import { ascii } from '../columns.ts'

/** The lane of a conversion: who shares its limit of pending conversions. Admission counts the pending ones of a lane. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('conversions', (table) => {
    ascii(table, 'lane', 64)
  })
  // Only lanes of pending conversions are read. A team is in the lane of its owner.
  await knex('conversions')
    .whereIn('status', ['queued', 'processing'])
    .update({ lane: knex.raw("case when owner like 'team%' then coalesce(charged_to, owner) else owner end") })
  await knex.schema.alterTable('conversions', (table) => {
    table.index(['lane', 'status'], 'conversions_by_lane')
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('conversions', (table) => {
    table.dropIndex(['lane', 'status'], 'conversions_by_lane')
    table.dropColumn('lane')
  })
}
