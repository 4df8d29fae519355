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
      email: { type: 'string', format: 'email', description: 'Address of an account.' },
      role: { type: 'string', enum: roles, description: 'Admins change the team; members use it.' },
    },
  },
})

/** What requests about teams must look like. */
export const createTeamBody: ObjectSchema = {
  type: 'object',
  required: ['name'],
  properties: { name, members: members(['admin', 'member'], 'Who else is of it.') },
}

export const changeTeamBody: ObjectSchema = {
  type: 'object',
  properties: {
    name,
    members: members(['admin', 'member', 'none'], 'Who comes, changes role or (`none`) goes; others stay as they are.'),
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
  TeamMember: record({
    email: text('Address.'),
    name: orNull(text('What to call the user.')),
    role: text('Role.', { enum: ROLES }),
  }),
  TeamResponse: record({ team: reference('TeamWithMembers') }),
  TeamList: record({ teams: list('Team'), nextCursor }),
}
