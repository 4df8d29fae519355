import type { Knex } from 'knex'
import { ascii } from '../columns.ts'

/** Creates the tables of users, teams, their connections to clouds, and what operators set. */
export async function createAccountTables(knex: Knex): Promise<void> {
  await knex.schema.createTable('users', (table) => {
    ascii(table, 'id', 40).primary()
    // Lower case and ASCII: otherwise a server's collation could take two mailboxes for the same address.
    ascii(table, 'email', 254).notNullable().unique({ indexName: 'users_by_email' })
    table.string('name', 200)
    ascii(table, 'plan', 16).notNullable()
    ascii(table, 'status', 16).notNullable()
    // Null for an account that only signs in with providers.
    ascii(table, 'password_hash', 200)
    // Whether the address is known to belong to the user, through a mail, a provider or an administrator.
    table.boolean('verified').notNullable()
    // Session tokens contain it. Incrementing it ends all sessions.
    table.integer('session_version').notNullable()
    table.bigInteger('created_at').notNullable()
  })
  await knex.schema.createTable('identities', (table) => {
    // Identity of a user at a provider (OpenID Connect Core §2: `iss` and `sub`).
    ascii(table, 'issuer', 255).notNullable()
    ascii(table, 'subject', 255).notNullable()
    ascii(table, 'user_id', 40).notNullable()
    table.bigInteger('created_at').notNullable()
    table.primary(['issuer', 'subject'])
  })
  await knex.schema.createTable('api_keys', (table) => {
    ascii(table, 'id', 40).primary()
    ascii(table, 'user_id', 40).notNullable()
    table.string('name', 100).notNullable()
    ascii(table, 'prefix', 16).notNullable()
    // SHA-256 in hexadecimal.
    ascii(table, 'hash', 64).notNullable().unique({ indexName: 'api_keys_by_hash' })
    table.bigInteger('created_at').notNullable()
    table.bigInteger('last_used_at')
    table.bigInteger('expires_at')
    table.index(['user_id', 'id'], 'api_keys_by_user')
    table.index(['expires_at'], 'api_keys_expiry')
  })
  await knex.schema.createTable('password_resets', (table) => {
    ascii(table, 'hash', 64).primary()
    ascii(table, 'user_id', 40).notNullable()
    table.bigInteger('expires_at').notNullable()
    table.index(['user_id'], 'password_resets_by_user')
    table.index(['expires_at'], 'password_resets_expiry')
  })
  await knex.schema.createTable('switches', (table) => {
    // Switches that an operator has switched on: `maintenance`, or `closed:png-to-webp`.
    ascii(table, 'name', 100).primary()
    table.bigInteger('since').notNullable()
  })
  await knex.schema.createTable('audit', (table) => {
    ascii(table, 'id', 40).primary()
    table.bigInteger('at').notNullable()
    // Login name of the operator on the machine.
    table.string('actor', 100).notNullable()
    ascii(table, 'action', 40).notNullable()
    table.string('subject', 300).notNullable()
    // The changes as JSON, without secrets.
    table.text('details').notNullable()
    table.index(['at'], 'audit_by_time')
  })
  await knex.schema.createTable('connections', (table) => {
    ascii(table, 'owner', 64).notNullable()
    ascii(table, 'provider', 32).notNullable()
    // Encrypted with the service's secret.
    table.text('secret').notNullable()
    table.bigInteger('created_at').notNullable()
    table.primary(['owner', 'provider'])
  })
  await knex.schema.createTable('teams', (table) => {
    ascii(table, 'id', 40).primary()
    table.string('name', 100).notNullable()
    // The creator, who is charged for its conversions.
    ascii(table, 'owner', 40).notNullable()
    table.bigInteger('created_at').notNullable()
    table.index(['owner'], 'teams_by_owner')
  })
  await knex.schema.createTable('team_members', (table) => {
    ascii(table, 'team', 40).notNullable()
    ascii(table, 'user_id', 40).notNullable()
    ascii(table, 'role', 16).notNullable()
    table.primary(['team', 'user_id'])
    // A user's teams, newest first.
    table.index(['user_id', 'team'], 'team_members_by_user')
  })
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
}
