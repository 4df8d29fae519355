import type { Team } from '../../accounts/teams.ts'
import { decodeCursor, encodeCursor } from '../../database/cursor.ts'
import { list, nextCursor, record } from '../answer/response-schema.ts'
import { shape } from '../answer/shape.ts'
import { created, endpoint, ok, type Resource } from '../endpoint.ts'
import { cursor, limit, PAGE } from '../request/paging.ts'
import { members, name, sampleTeam, teamFields, teamRecord, teamResponse, withMembers } from './team.ts'

const teamList = shape(
  'TeamList',
  record({ teams: list('Team'), nextCursor }),
  ({ teams, nextCursor }: { teams: readonly Team[]; nextCursor: string | null }) => ({
    teams: teams.map(teamRecord),
    nextCursor,
  }),
)

export const teams: Resource = {
  tag: 'Teams',
  schemas: {
    Team: record(teamFields),
  },
  endpoints: [
    endpoint({
      ...{ method: 'GET', path: '/api/teams', id: 'listTeams', authentication: 'account', rate: 'requests' },
      summary: 'List the teams that you are in, newest first',
      description: 'Lists the teams that you belong to, newest first.',
      query: { type: 'object', properties: { limit, cursor } },
      answer: ok('A page.', teamList),
      handle:
        ({ teams }) =>
        async ({ owner, query: { limit = PAGE, cursor } }) => {
          const before = cursor === undefined ? undefined : decodeCursor(cursor)
          const found = await teams.list(owner.id, { limit: limit + 1, ...(before && { before }) })
          const page = found.slice(0, limit)
          return { teams: page, nextCursor: found.length > limit ? encodeCursor(page.at(-1)!.id) : null }
        },
    }),
    endpoint({
      ...{ method: 'POST', path: '/api/teams', id: 'createTeam', authentication: 'account', rate: 'requests' },
      summary: 'Make a team, whose conversions its members share and your plan pays for',
      description:
        'You own the team: what its members convert for it is charged to your plan. `members` are invited: they become members when they accept. Nothing tells whether an address has an account.',
      body: {
        type: 'object',
        required: ['name'],
        properties: { name, members: members(['admin', 'member'], 'Whom to invite.') },
      },
      example: () => ({ name: sampleTeam().name, members: [{ email: 'bo@example.org', role: 'member' as const }] }),
      answer: created('The team.', teamResponse, ({ team }) => `/api/teams/${team.id}`),
      refusals: ['FORBIDDEN', 'QUOTA_EXCEEDED'],
      handle:
        (kernel) =>
        async ({ owner, body }) =>
          withMembers(kernel, await kernel.teams.create(owner.id, body)),
    }),
  ],
}
