import { record } from '../answer/response-schema.ts'
import { envelope } from '../answer/shape.ts'
import { done, endpoint, ok, type Resource } from '../endpoint.ts'
import { noteFailedSignIn } from '../identity/sign-in-guard.ts'
import { baseUrl } from '../request/base-url.ts'
import { sampleUser } from './account.ts'
import { email, newPassword, SAMPLE_PASSWORDS, signInResponse } from './sign-in.ts'

const resetAccepted = envelope(
  record({ status: { const: 'accepted' } }),
  () => ({ status: 'accepted' }),
  () => undefined,
)

export const passwords: Resource = {
  tag: 'Accounts',
  endpoints: [
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
  ],
}
