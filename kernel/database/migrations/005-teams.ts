import type { Knex } from 'knex'
import { ascii } from '../columns.ts'

export async function up(knex: Knex): Promise<void> {
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
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('team_members')
  await knex.schema.dropTable('teams')
}
