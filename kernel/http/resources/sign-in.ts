import type { SignedIn } from '../../people/accounts.ts'
import { record, reference, text } from '../answer/response-schema.ts'
import { envelope, shape } from '../answer/shape.ts'
import { baseUrl } from '../context.ts'
import { created, done, endpoint, ok, type Resource } from '../endpoint.ts'
import { noteFailedSignIn } from '../identity/sign-in-guard.ts'
import type { ObjectSchema, Schema } from '../request/schema.ts'
import { type ShownUser, sampleUser, userRecord } from './account.ts'

/** Fields of requests about an account. */
const email = {
  type: 'string',
  format: 'email',
  description: 'Email address; case does not matter.',
} as const satisfies Schema

const newPassword = {
  type: 'string',
  minLength: 8,
  maxLength: 256,
  description: '8 to 256 characters.',
} as const satisfies Schema

/** Passwords for the examples. */
const SAMPLE_PASSWORDS = { old: 'correct horse battery', new: 'staple correct horse' }

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

const resetAccepted = envelope(
  record({ status: { const: 'accepted' } }),
  () => ({ status: 'accepted' }),
  () => undefined,
)

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
    endpoint('POST', '/api/auth/password-reset', {
      id: 'requestPasswordReset',
      authentication: 'optional',
      rate: 'authentication',
      summary: 'Request a password reset',
      description:
        'Mails a link that sets a new password. It works once, within 30 minutes. The answer does not show whether an account exists.',
      body: { type: 'object', required: ['email'], properties: { email } },
      example: () => ({ email: sampleUser().email }),
      answer: { status: 202, description: 'Accepted.', body: resetAccepted },
      handle: ({ accounts, config }, { ctx, body }) => accounts.resets.request(body.email, baseUrl(config, ctx)),
    }),
    endpoint('POST', '/api/auth/password-reset/confirm', {
      id: 'confirmPasswordReset',
      authentication: 'optional',
      rate: 'authentication',
      summary: 'Reset the password',
      description: 'Sets a new password. All sessions of the user end.',
      body: {
        type: 'object',
        required: ['token', 'password'],
        properties: {
          token: { type: 'string', minLength: 1, maxLength: 200, description: 'The `token` of the mailed link.' },
          password: newPassword,
        },
      },
      example: () => ({ token: 'mW0xGf5y…', password: SAMPLE_PASSWORDS.new }),
      answer: done,
      refusals: ['INVALID_TOKEN'],
      handle: ({ accounts, log }, { ctx, body: { token, password } }) =>
        noteFailedSignIn(log, ctx, 'reset token', accounts.resets.confirm(token, password)),
    }),
    endpoint('POST', '/api/users/me/password', {
      id: 'changePassword',
      // Somebody with a stolen session must not guess passwords faster than at the sign-in.
      authentication: 'session',
      rate: 'authentication',
      summary: 'Change the password',
      description: 'All other sessions of the user end. The answer has a new token.',
      body: {
        type: 'object',
        required: ['currentPassword', 'password'],
        properties: {
          currentPassword: { type: 'string', minLength: 1, maxLength: 256, description: 'The current password.' },
          password: newPassword,
        },
      },
      example: () => ({ currentPassword: SAMPLE_PASSWORDS.old, password: SAMPLE_PASSWORDS.new }),
      answer: ok('Signed in.', signInResponse),
      handle: ({ accounts, log }, { ctx, user, body }) =>
        noteFailedSignIn(log, ctx, 'current password', accounts.changePassword(user, body)),
    }),
    endpoint('POST', '/api/users/me/delete', {
      id: 'deleteAccount',
      authentication: 'session',
      rate: 'authentication',
      summary: 'Delete the account',
      description:
        'With its files, keys, webhooks and teams. Without a password, the session must be at most 10 minutes old.',
      body: {
        type: 'object',
        properties: { password: { type: 'string', minLength: 1, maxLength: 256, description: 'Password.' } },
      },
      example: () => ({ password: SAMPLE_PASSWORDS.old }),
      answer: done,
      refusals: ['FORBIDDEN'],
      handle: ({ accounts, log }, { ctx, user, body }) =>
        noteFailedSignIn(log, ctx, 'current password', accounts.remove(user, body, ctx.state.signedInAt ?? 0)),
    }),
  ],
}
