import { list, nextCursor, orNull, type ResponseSchema, record, reference, text, time } from './response-schema.ts'
import type { ObjectSchema, Schema } from './validation.ts'

const name: Schema = { type: 'string', minLength: 1, maxLength: 100, description: 'What the team is called.' }

const members = (roles: readonly string[], description: string): Schema => ({
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
})

/** What requests about teams must look like. */
export const createTeamBody: ObjectSchema = {
  type: 'object',
  required: ['name'],
  properties: { name, members: members(['admin', 'member'], 'Whom to invite.') },
}

export const changeTeamBody: ObjectSchema = {
  type: 'object',
  properties: {
    name,
    members: members(
      ['admin', 'member', 'none'],
      'Whom to invite, who changes role, and who goes (`none`, also for invitations); others stay as they are.',
    ),
  },
}

const ROLES = ['owner', 'admin', 'member']
const team = {
  id: text('Names the team, also in `x-team-id`.'),
  name: text('What it is called.'),
  role: text('Your role. The owner made the team, and pays for it.', { enum: ROLES }),
  createdAt: time('When it was made.'),
}

/** What the responses about teams look like, by the name that the OpenAPI document gives them. */
export const teamResponses: Record<string, ResponseSchema> = {
  Team: record(team),
  TeamWithMembers: record({ ...team, members: list('TeamMember') }),
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
  TeamInvitation: record({
    id: text('Names the invitation.'),
    team: record({ id: text('Names the team.'), name: text('What it is called.') }),
    role: text('Your role once you accept.', { enum: ['admin', 'member'] }),
    invitedBy: text("Address of the team's owner."),
    createdAt: time('When you were invited. It expires 30 days later.'),
  }),
  TeamInvitationList: record({ invitations: list('TeamInvitation') }),
  TeamResponse: record({ team: reference('TeamWithMembers') }),
  TeamList: record({ teams: list('Team'), nextCursor }),
}
