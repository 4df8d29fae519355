import type { Knex } from 'knex'
import { ascii } from '../columns.ts'

/** Open invitations to a team. Existing members stay members. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('team_invitations', (table) => {
    ascii(table, 'id', 40).primary()
    ascii(table, 'team', 40).notNullable()
    // As `users.email`. Without the user's id: the row is the same whether or not the account exists.
    ascii(table, 'email', 254).notNullable()
    // The address as typed. The team sees only this spelling.
    ascii(table, 'typed', 254).notNullable()
    ascii(table, 'role', 16).notNullable()
    table.bigInteger('created_at').notNullable()
    table.bigInteger('expires_at').notNullable()
    table.unique(['team', 'email'], { indexName: 'team_invitations_by_team' })
    table.index(['email', 'id'], 'team_invitations_by_email')
    table.index(['expires_at'], 'team_invitations_expiry')
  })
  await knex.schema.alterTable('quota_use', (table) => {
    // Invitations by an account on that day, or invitation mails to an address.
    table.integer('invitations').notNullable().defaultTo(0)
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('quota_use', (table) => table.dropColumns('invitations'))
  await knex.schema.dropTable('team_invitations')
}
