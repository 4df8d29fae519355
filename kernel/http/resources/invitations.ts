import type { Invitation } from '../../people/invitations.ts'
import { list, record, text, time, timeOf } from '../answer/response-schema.ts'
import { envelope } from '../answer/shape.ts'
import { done, endpoint, ok, type Resource } from '../endpoint.ts'
import { SAMPLE_TIME, sampleId } from '../openapi/sample-pair.ts'
import { sampleTeam, teamResponse, withMembers } from './team.ts'

const invitationList = envelope(
  record({ invitations: list('TeamInvitation') }),
  (invitations: readonly Invitation[]) => ({
    invitations: invitations.map(({ createdAt, ...more }) => ({
      ...more,
      createdAt: timeOf(createdAt),
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
      id: text('Id.'),
      team: record({ id: text('Id.'), name: text('Name.') }),
      role: text('Your role once you accept.', { enum: ['admin', 'member'] }),
      invitedBy: text('Email address of the owner.'),
      createdAt: time('When you were invited. The invitation expires 30 days later.'),
    }),
  },
  endpoints: [
    endpoint('GET', '/api/teams/invitations', {
      id: 'listTeamInvitations',
      authentication: 'account',
      rate: 'requests',
      summary: 'List your invitations',
      description: 'Shows the newest 100. If the service sends mail, accounts without a verified address get 403.',
      answer: ok('All of them.', invitationList),
      refusals: ['FORBIDDEN'],
      handle: ({ invitations }, { owner }) => invitations.list(owner.id),
    }),
    endpoint('POST', '/api/teams/invitations/:id/accept', {
      id: 'acceptTeamInvitation',
      authentication: 'account',
      rate: 'requests',
      summary: 'Accept an invitation',
      description: 'You become a member, and the other members can see your name.',
      answer: ok('The team.', teamResponse),
      refusals: ['NOT_FOUND', 'FORBIDDEN'],
      handle: async (kernel, { params, owner }) => {
        const team = await kernel.invitations.accept(owner.id, params.id)
        return withMembers(kernel, await kernel.teams.get(owner.id, team))
      },
    }),
    endpoint('DELETE', '/api/teams/invitations/:id', {
      id: 'declineTeamInvitation',
      authentication: 'account',
      rate: 'requests',
      summary: 'Decline an invitation',
      description: 'Removes the invitation, for you and for the team.',
      answer: done,
      refusals: ['NOT_FOUND', 'FORBIDDEN'],
      handle: ({ invitations }, { params, owner }) => invitations.decline(owner.id, params.id),
    }),
  ],
}
