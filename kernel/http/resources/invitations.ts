import type { Invitation } from '../../accounts/invitations.ts'
import { list, record, text, time } from '../answer/response-schema.ts'
import { shape } from '../answer/shape.ts'
import { done, endpoint, ok, type Resource } from '../endpoint.ts'
import { SAMPLE_TIME, sampleId } from '../openapi/sample-pair.ts'
import { sampleTeam, teamResponse, withMembers } from './team.ts'

const invitationList = shape(
  'TeamInvitationList',
  record({ invitations: list('TeamInvitation') }),
  (invitations: readonly Invitation[]) => ({
    invitations: invitations.map(({ createdAt, ...more }) => ({
      ...more,
      createdAt: new Date(createdAt).toISOString(),
    })),
  }),
  () => {
    const { id, name } = sampleTeam()
    const invitation = { id: `inv_${sampleId('3')}`, team: { id, name }, role: 'member' } as const
    return [{ ...invitation, invitedBy: 'al@example.org', createdAt: SAMPLE_TIME }]
  },
)

export const invitations: Resource = {
  tag: 'Teams',
  schemas: {
    TeamInvitation: record({
      id: text('Names the invitation.'),
      team: record({ id: text('Names the team.'), name: text('What it is called.') }),
      role: text('Your role once you accept.', { enum: ['admin', 'member'] }),
      invitedBy: text("Address of the team's owner."),
      createdAt: time('When you were invited. It expires 30 days later.'),
    }),
  },
  endpoints: [
    endpoint({
      ...{ method: 'GET', path: '/api/teams/invitations', id: 'listTeamInvitations' },
      ...{ authentication: 'account', rate: 'requests' },
      summary: 'List the invitations to your address, newest first',
      description:
        'Shows at most 100. Where the service sends mail, only accounts with a proven address see and answer invitations; others get 403.',
      answer: ok('All of them.', invitationList),
      refusals: ['FORBIDDEN'],
      handle:
        ({ invitations }) =>
        ({ owner }) =>
          invitations.list(owner.id),
    }),
    endpoint({
      ...{ method: 'POST', path: '/api/teams/invitations/:id/accept', id: 'acceptTeamInvitation' },
      ...{ authentication: 'account', rate: 'requests' },
      summary: 'Accept an invitation',
      description: 'You become a member, and the other members see your name.',
      answer: ok('The team.', teamResponse),
      refusals: ['NOT_FOUND', 'FORBIDDEN'],
      handle:
        (kernel) =>
        async ({ ctx, owner }) => {
          const team = await kernel.invitations.accept(owner.id, ctx.params.id!)
          return withMembers(kernel, await kernel.teams.get(owner.id, team))
        },
    }),
    endpoint({
      ...{ method: 'DELETE', path: '/api/teams/invitations/:id', id: 'declineTeamInvitation' },
      ...{ authentication: 'account', rate: 'requests' },
      summary: 'Decline an invitation',
      description: 'The invitation is gone, for you and for the team.',
      answer: done,
      refusals: ['NOT_FOUND', 'FORBIDDEN'],
      handle:
        ({ invitations }) =>
        ({ ctx, owner }) =>
          invitations.decline(owner.id, ctx.params.id!),
    }),
  ],
}
