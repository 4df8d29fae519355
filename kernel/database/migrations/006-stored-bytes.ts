import type { Knex } from 'knex'
import { ascii } from '../columns.ts'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('stored_bytes', (table) => {
    // An account, or the address or the fingerprint of a guest.
    ascii(table, 'subject', 64).primary()
    table.bigInteger('bytes').notNullable()
  })
  await knex.schema.alterTable('files', (table) => {
    // Subjects of stored_bytes that it was charged to, with spaces between; nothing is given back without them.
    ascii(table, 'charged_to', 200)
    // When the first of an owner's files expires.
    table.index(['owner', 'expires_at'], 'files_by_owner')
  })
  // The addresses of guests' older uploads are unknown. These uploads expire uncharged.
  await knex('files')
    .where('owner', 'like', 'user%')
    .update({ charged_to: knex.ref('owner') })
  const stored = new Map<string, number>()
  for (const rows of [
    await knex('files').whereNotNull('charged_to').groupBy('charged_to').select('charged_to').sum({ bytes: 'size' }),
    await knex('conversions')
      .where({ status: 'completed' })
      .whereNotNull('charged_to')
      .groupBy('charged_to')
      .select('charged_to')
      .sum({ bytes: 'output_size' }),
  ]) {
    for (const { charged_to, bytes } of rows as { charged_to: string; bytes: number | string }[]) {
      for (const subject of charged_to.split(' ')) stored.set(subject, (stored.get(subject) ?? 0) + Number(bytes))
    }
  }
  const rows = [...stored].map(([subject, bytes]) => ({ subject, bytes }))
  // What a start has inserted that was killed before it could record the migration is replaced.
  while (rows.length) await knex('stored_bytes').insert(rows.splice(0, 200)).onConflict('subject').merge()
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('files', (table) => {
    table.dropIndex(['owner', 'expires_at'], 'files_by_owner')
    table.dropColumns('charged_to')
  })
  await knex.schema.dropTable('stored_bytes')
}
