import { cursorAfter, decodeCursor } from '../../database/ids.ts'
import type { Team } from '../../people/teams.ts'
import { list, nextCursor, record } from '../answer/response-schema.ts'
import { bare, envelope } from '../answer/shape.ts'
import { created, endpoint, ok, type Resource } from '../endpoint.ts'
import { cursor, limit, PAGE } from '../request/paging.ts'
import { members, name, sampleTeam, teamRecord, teamResponse, withMembers } from './team.ts'

const teamList = envelope(
  record({ teams: list('Team'), nextCursor }),
  ({ teams, nextCursor }: { teams: readonly Team[]; nextCursor: string | null }) => ({
    teams: teams.map(teamRecord),
    nextCursor,
  }),
)

export const teams: Resource = {
  tag: 'Teams',
  endpoints: [
    endpoint('GET', '/api/teams', {
      id: 'listTeams',
      authentication: 'account',
      rate: 'requests',
      summary: 'List your teams',
      description: 'Shows the teams that you belong to, the newest first.',
      query: { type: 'object', properties: { limit, cursor } },
      answer: ok('A page.', teamList),
      handle: async ({ teams }, { owner, query: { limit = PAGE, cursor } }) => {
        const before = cursor === undefined ? undefined : decodeCursor(cursor)
        const found = await teams.list(owner.id, { limit: limit + 1, ...(before && { before }) })
        return { teams: found.slice(0, limit), nextCursor: cursorAfter(found, limit) }
      },
    }),
    endpoint('POST', '/api/teams', {
      id: 'createTeam',
      authentication: 'account',
      rate: 'requests',
      summary: 'Create a team',
      description: 'Members share its conversions, and your plan pays. People join when they accept your invitation.',
      body: {
        type: 'object',
        required: ['name'],
        properties: { name, members: members(['admin', 'member'], 'People to invite.') },
      },
      example: () => ({ name: sampleTeam().name, members: [{ email: 'bo@example.org', role: 'member' as const }] }),
      answer: created('The team.', bare(teamResponse), ({ team }) => `/api/teams/${team.id}`),
      refusals: ['FORBIDDEN', 'QUOTA_EXCEEDED'],
      handle: async (kernel, { owner, body }) => withMembers(kernel, await kernel.teams.create(owner.id, body)),
    }),
  ],
}
