import type { Code } from '../errors.ts'
import { BODY, COMMON, gone, type Operation, ok } from './operation.ts'
import { listTeamsQuery } from './schemas.ts'
import { changeTeamBody, createTeamBody } from './team-schemas.ts'

const tag = { tag: 'Teams', needs: 'account' } as const
const one: readonly Code[] = [...COMMON, 'NOT_FOUND']

/** The routes of teams, described. */
export const teamOperations: readonly Operation[] = [
  {
    ...{ method: 'GET', path: '/api/teams', id: 'listTeams', ...tag },
    summary: 'List the teams that you are in, newest first',
    query: listTeamsQuery,
    success: ok('A page.', 'TeamList'),
    refusals: [...COMMON, 'BAD_REQUEST'],
  },
  {
    ...{ method: 'POST', path: '/api/teams', id: 'createTeam', ...tag },
    summary: 'Make a team, whose conversions its members share and your plan pays for',
    body: createTeamBody,
    success: [{ status: 201, description: 'The team.', schema: 'TeamResponse', headers: ['Location'] }],
    refusals: [...COMMON, ...BODY],
  },
  {
    ...{ method: 'GET', path: '/api/teams/:id', id: 'showTeam', ...tag },
    summary: 'Show a team that you are in, with its members',
    success: ok('The team.', 'TeamResponse'),
    refusals: one,
  },
  {
    ...{ method: 'PATCH', path: '/api/teams/:id', id: 'changeTeam', ...tag },
    summary: 'Rename a team, or change its members',
    body: changeTeamBody,
    success: ok('The team as it is now.', 'TeamResponse'),
    refusals: [...one, ...BODY],
  },
  {
    ...{ method: 'DELETE', path: '/api/teams/:id', id: 'removeTeam', ...tag },
    summary: 'Delete your team; nobody sees its conversions any more',
    success: gone,
    refusals: one,
  },
]
