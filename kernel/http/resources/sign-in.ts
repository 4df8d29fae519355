import type { SignedIn } from '../../people/accounts.ts'
import { record, reference, text } from '../answer/response-schema.ts'
import { shape } from '../answer/shape.ts'
import { created, endpoint, ok, type Resource } from '../endpoint.ts'
import { noteFailedSignIn } from '../identity/sign-in-guard.ts'
import type { ObjectSchema, Schema } from '../request/schema.ts'
import { type ShownUser, sampleUser, userRecord } from './account.ts'

/** Fields of requests about an account. */
export const email = {
  type: 'string',
  format: 'email',
  description: 'Email address; case does not matter.',
} as const satisfies Schema

export const newPassword = {
  type: 'string',
  minLength: 8,
  maxLength: 256,
  description: '8 to 256 characters.',
} as const satisfies Schema

/** Passwords for the examples. */
export const SAMPLE_PASSWORDS = { old: 'correct horse battery', new: 'staple correct horse' }

/** The body of every answer that signs somebody in. */
export const signInResponse = shape(
  'SignInResponse',
  record({ token: text('Session token (JWT), for `Authorization: Bearer`.'), user: reference('User') }),
  ({ token, user }: Pick<SignedIn, 'token'> & { user: ShownUser }) => ({ token, user: userRecord(user) }),
  () => ({ token: 'eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl', user: sampleUser() }),
)

const registration = {
  type: 'object',
  required: ['email', 'password'],
  properties: {
    email,
    password: newPassword,
    name: { type: 'string', maxLength: 200, description: 'Name for other people.' },
  },
} as const satisfies ObjectSchema

export const signIn: Resource = {
  tag: 'Accounts',
  endpoints: [
    endpoint('POST', '/api/auth/register', {
      id: 'registerUser',
      authentication: 'optional',
      rate: 'authentication',
      summary: 'Register',
      description: 'Creates an account on the free plan, and signs in.',
      body: registration,
      example: () => ({ email: sampleUser().email, password: SAMPLE_PASSWORDS.old, name: 'Ada' }),
      answer: created('Signed in.', signInResponse),
      refusals: ['FORBIDDEN', 'EMAIL_TAKEN', 'QUOTA_EXCEEDED'],
      handle: ({ accounts }, { ctx, body }) => accounts.register(body, ctx.state.origin.address),
    }),
    endpoint('POST', '/api/auth/login', {
      id: 'logIn',
      authentication: 'optional',
      rate: 'authentication',
      summary: 'Sign in',
      description: 'By default, the token works for 7 days.',
      body: {
        type: 'object',
        required: ['email', 'password'],
        properties: {
          email: { type: 'string', minLength: 1, maxLength: 254, description: 'Email address.' },
          password: { type: 'string', minLength: 1, maxLength: 256, description: 'Password.' },
        },
      },
      example: () => ({ email: sampleUser().email, password: SAMPLE_PASSWORDS.old }),
      answer: ok('Signed in.', signInResponse),
      handle: ({ accounts, log }, { ctx, body }) => noteFailedSignIn(log, ctx, 'password', accounts.login(body)),
    }),
  ],
}
