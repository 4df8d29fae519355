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
    description: 'Lists the teams that you belong to, newest first.',
    query: listTeamsQuery,
    success: ok('A page.', 'TeamList'),
    refusals: [...COMMON, 'BAD_REQUEST'],
  },
  {
    ...{ method: 'POST', path: '/api/teams', id: 'createTeam', ...tag },
    summary: 'Make a team, whose conversions its members share and your plan pays for',
    description:
      'You own the team: what its members convert for it is charged to your plan. `members` are invited: they become members when they accept. Nothing tells whether an address has an account.',
    body: createTeamBody,
    success: [{ status: 201, description: 'The team.', schema: 'TeamResponse', headers: ['Location'] }],
    refusals: [...COMMON, ...BODY, 'FORBIDDEN', 'QUOTA_EXCEEDED'],
  },
  {
    ...{ method: 'GET', path: '/api/teams/invitations', id: 'listTeamInvitations', ...tag },
    summary: 'List the invitations to your address, newest first',
    description:
      'Shows at most 100. Where the service sends mail, only accounts with a proven address see and answer invitations; others get 403.',
    success: ok('All of them.', 'TeamInvitationList'),
    refusals: [...COMMON, 'FORBIDDEN'],
  },
  {
    ...{ method: 'POST', path: '/api/teams/invitations/:id/accept', id: 'acceptTeamInvitation', ...tag },
    summary: 'Accept an invitation',
    description: 'You become a member, and the other members see your name.',
    success: ok('The team.', 'TeamResponse'),
    refusals: [...one, 'FORBIDDEN'],
  },
  {
    ...{ method: 'DELETE', path: '/api/teams/invitations/:id', id: 'declineTeamInvitation', ...tag },
    summary: 'Decline an invitation',
    description: 'The invitation is gone, for you and for the team.',
    success: gone,
    refusals: [...one, 'FORBIDDEN'],
  },
  {
    ...{ method: 'GET', path: '/api/teams/:id', id: 'getTeam', ...tag },
    summary: 'Show a team that you are in, with its members',
    description: 'Members of the team can see it.',
    success: ok('The team.', 'TeamResponse'),
    refusals: one,
  },
  {
    ...{ method: 'PATCH', path: '/api/teams/:id', id: 'updateTeam', ...tag },
    summary: 'Rename a team, or change its members',
    description: 'Fields that are missing stay as they are. New addresses are invited, at most 100 a day.',
    body: changeTeamBody,
    success: ok('The team as it is now.', 'TeamResponse'),
    refusals: [...one, ...BODY, 'FORBIDDEN', 'QUOTA_EXCEEDED'],
  },
  {
    ...{ method: 'DELETE', path: '/api/teams/:id', id: 'deleteTeam', ...tag },
    summary: 'Delete your team; nobody sees its conversions any more',
    description: 'Conversions of the team are no longer visible to its members.',
    success: gone,
    refusals: one,
  },
]
