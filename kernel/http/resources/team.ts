import type { TeamMember } from '../../accounts/team-members.ts'
import type { Team } from '../../accounts/teams.ts'
import type { Kernel } from '../../kernel.ts'
import { list, orNull, record, reference, text, time } from '../answer/response-schema.ts'
import { shape } from '../answer/shape.ts'
import { done, endpoint, ok, type Resource } from '../endpoint.ts'
import { SAMPLE_TIME, sampleId } from '../openapi/sample-pair.ts'
import type { Schema } from '../request/schema.ts'

/** Fields of requests. */
export const name = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
  description: 'What the team is called.',
} as const satisfies Schema

export const members = <const Roles extends readonly string[]>(roles: Roles, description: string) =>
  ({
    type: 'array',
    minItems: 1,
    maxItems: 100,
    description,
    items: {
      type: 'object',
      required: ['email', 'role'],
      properties: {
        email: { type: 'string', format: 'email', description: 'Address of a member, or of whom to invite.' },
        role: { type: 'string', enum: roles, description: 'Admins change the team; members use it.' },
      },
    },
  }) as const satisfies Schema

const ROLES = ['owner', 'admin', 'member']
/** Fields of a team in answers. */
export const teamFields = {
  id: text('Names the team, also in `x-team-id`.'),
  name: text('What it is called.'),
  role: text('Your role. The owner made the team, and pays for it.', { enum: ROLES }),
  createdAt: time('When it was made.'),
}

/** A team as clients see it. */
export const teamRecord = ({ createdAt, ...team }: Team) => ({ ...team, createdAt: new Date(createdAt).toISOString() })

/** A team for the examples. */
export const sampleTeam = (): Team => ({
  ...{ id: `team_${sampleId('4')}`, name: 'Press office', role: 'owner' },
  createdAt: SAMPLE_TIME,
})

/** A team with its members. */
export interface FullTeam {
  team: Team
  members: readonly TeamMember[]
}

export const teamResponse = shape(
  'TeamResponse',
  record({ team: reference('TeamWithMembers') }),
  ({ team, members }: FullTeam) => ({ team: { ...teamRecord(team), members } }),
  (): FullTeam => ({
    team: sampleTeam(),
    members: [
      { email: 'al@example.org', name: 'Al', role: 'owner', status: 'active' },
      { email: 'bo@example.org', role: 'member', status: 'invited' },
    ],
  }),
)

/** Adds the members of a team. */
export const withMembers = async ({ teams }: Pick<Kernel, 'teams'>, team: Team): Promise<FullTeam> => ({
  team,
  members: await teams.members(team.id),
})

export const team: Resource = {
  tag: 'Teams',
  schemas: {
    TeamWithMembers: record({ ...teamFields, members: list('TeamMember') }),
    TeamMember: record(
      {
        email: text('Address; of an invited one, as it was typed.'),
        name: orNull(text('What to call the user. Only of active members.')),
        role: text('Role.', { enum: ROLES }),
        status: text('`invited` ones have not accepted yet, see nothing of the team and cost nothing.', {
          enum: ['active', 'invited'],
        }),
      },
      ['name'],
    ),
  },
  endpoints: [
    endpoint({
      ...{ method: 'GET', path: '/api/teams/:id', id: 'getTeam', authentication: 'account', rate: 'requests' },
      summary: 'Show a team that you are in, with its members',
      description: 'Members of the team can see it.',
      answer: ok('The team.', teamResponse),
      refusals: ['NOT_FOUND'],
      handle:
        (kernel) =>
        async ({ ctx, owner }) =>
          withMembers(kernel, await kernel.teams.get(owner.id, ctx.params.id!)),
    }),
    endpoint({
      ...{ method: 'PATCH', path: '/api/teams/:id', id: 'updateTeam', authentication: 'account', rate: 'requests' },
      summary: 'Rename a team, or change its members',
      description: 'Fields that are missing stay as they are. New addresses are invited, at most 100 a day.',
      body: {
        type: 'object',
        properties: {
          name,
          members: members(
            ['admin', 'member', 'none'],
            'Whom to invite, who changes role, and who goes (`none`, also for invitations); others stay as they are.',
          ),
        },
      },
      example: () => ({ members: [{ email: 'bo@example.org', role: 'admin' as const }] }),
      answer: ok('The team as it is now.', teamResponse),
      refusals: ['NOT_FOUND', 'FORBIDDEN', 'QUOTA_EXCEEDED'],
      handle:
        (kernel) =>
        async ({ ctx, owner, body }) =>
          withMembers(kernel, await kernel.teams.change(owner.id, ctx.params.id!, body)),
    }),
    endpoint({
      ...{ method: 'DELETE', path: '/api/teams/:id', id: 'deleteTeam', authentication: 'account', rate: 'requests' },
      summary: 'Delete your team; nobody sees its conversions any more',
      description: 'Conversions of the team are no longer visible to its members.',
      answer: done,
      refusals: ['NOT_FOUND'],
      handle:
        ({ teams }) =>
        ({ ctx, owner }) =>
          teams.remove(owner.id, ctx.params.id!),
    }),
  ],
}
