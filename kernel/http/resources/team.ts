import type { Kernel } from '../../boot/kernel.ts'
import type { TeamMember } from '../../people/team-members.ts'
import type { Team } from '../../people/teams.ts'
import { list, orNull, record, reference, text, time, timeOf } from '../answer/response-schema.ts'
import { shape } from '../answer/shape.ts'
import { done, endpoint, ok, type Resource } from '../endpoint.ts'
import { SAMPLE_TIME, sampleId } from '../openapi/sample-pair.ts'
import type { Schema } from '../request/schema.ts'

/** Fields of requests. */
export const name = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
  description: 'Name of the team.',
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
        email: { type: 'string', format: 'email', description: 'Email address of the person.' },
        role: { type: 'string', enum: roles, description: 'Admins can change the team; members can use it.' },
      },
    },
  }) as const satisfies Schema

const ROLES = ['owner', 'admin', 'member']

/** A team as clients see it. */
export const teamRecord = ({ createdAt, ...team }: Team) => ({ ...team, createdAt: timeOf(createdAt) })

/** A team for the examples. */
export const sampleTeam = (): Team => ({
  id: `team_${sampleId('4')}`,
  name: 'Press office',
  role: 'owner',
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
    members: [{ email: 'al@example.org', name: 'Al', role: 'owner', status: 'active' }],
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
    Team: record({
      id: text('Identifier, for `x-team-id`.'),
      name: text('Name.'),
      role: text('Your role. The owner created the team and pays for it.', { enum: ROLES }),
      createdAt: time('When it was created.'),
    }),
    TeamWithMembers: { allOf: [reference('Team'), record({ members: list('TeamMember') })] },
    TeamMember: record(
      {
        email: text('Email address; of an invited person, as it was typed.'),
        name: orNull(text('Name for other people. Only of active members.')),
        role: text('Role.', { enum: ROLES }),
        status: text('`invited` people have not accepted yet, and cannot see the team.', {
          enum: ['active', 'invited'],
        }),
      },
      ['name'],
    ),
  },
  endpoints: [
    endpoint('GET', '/api/teams/:id', {
      id: 'getTeam',
      authentication: 'account',
      rate: 'requests',
      summary: 'Show a team',
      description: 'Returns a team that you belong to, with its members.',
      answer: ok('The team.', teamResponse),
      refusals: ['NOT_FOUND'],
      handle: async (kernel, { params, owner }) => withMembers(kernel, await kernel.teams.get(owner.id, params.id)),
    }),
    endpoint('PATCH', '/api/teams/:id', {
      id: 'updateTeam',
      authentication: 'account',
      rate: 'requests',
      summary: 'Change a team',
      description: 'Only the fields that you send change. People with new addresses are invited, at most 100 a day.',
      body: {
        type: 'object',
        properties: {
          name,
          members: members(
            ['admin', 'member', 'none'],
            'People to invite, members with a new role, and whom to remove (`none`, also for invitations).',
          ),
        },
      },
      example: () => ({ members: [{ email: 'bo@example.org', role: 'admin' as const }] }),
      answer: ok('The team.', teamResponse),
      refusals: ['NOT_FOUND', 'FORBIDDEN', 'QUOTA_EXCEEDED'],
      handle: async (kernel, { params, owner, body }) =>
        withMembers(kernel, await kernel.teams.change(owner.id, params.id, body)),
    }),
    endpoint('DELETE', '/api/teams/:id', {
      id: 'deleteTeam',
      authentication: 'account',
      rate: 'requests',
      summary: 'Delete a team',
      description: 'Only the owner can delete a team. Nobody can see its conversions any more.',
      answer: done,
      refusals: ['NOT_FOUND', 'FORBIDDEN'],
      handle: ({ teams }, { params, owner }) => teams.remove(owner.id, params.id),
    }),
  ],
}
