import { record } from '../answer/response-schema.ts'
import { shape } from '../answer/shape.ts'
import { done, endpoint, ok, type Resource } from '../endpoint.ts'
import { noteFailedSignIn } from '../identity/sign-in-guard.ts'
import { baseUrl } from '../request/base-url.ts'
import { sampleUser } from './account.ts'
import { email, newPassword, SAMPLE_PASSWORDS, signInResponse } from './sign-in.ts'

const resetAccepted = shape(
  'ResetAccepted',
  record({ status: { const: 'accepted' } }),
  () => ({ status: 'accepted' }),
  () => undefined,
)

export const passwords: Resource = {
  tag: 'Accounts',
  endpoints: [
    endpoint({
      ...{ method: 'POST', path: '/api/auth/password-reset', id: 'requestPasswordReset' },
      ...{ authentication: 'optional', rate: 'authentication' },
      summary: 'Have a link mailed that sets a new password; the answer is the same for any address',
      description: 'The link works once and for 30 minutes. The answer does not tell whether an account exists.',
      body: { type: 'object', required: ['email'], properties: { email } },
      example: () => ({ email: sampleUser().email }),
      answer: { status: 202, description: 'If there is such an account, a mail is sent.', body: resetAccepted },
      handle:
        ({ accounts, config }) =>
        ({ ctx, body }) =>
          accounts.resets.request(body.email, baseUrl(config, ctx)),
    }),
    endpoint({
      ...{ method: 'POST', path: '/api/auth/password-reset/confirm', id: 'confirmPasswordReset' },
      ...{ authentication: 'optional', rate: 'authentication' },
      summary: 'Set a new password by the token of a mailed link; all sessions end',
      description: 'Every earlier session of the user ends.',
      body: {
        type: 'object',
        required: ['token', 'password'],
        properties: {
          token: { type: 'string', minLength: 1, maxLength: 200, description: "The link's `token`." },
          password: newPassword,
        },
      },
      example: () => ({ token: 'mW0xGf5y…', password: SAMPLE_PASSWORDS.new }),
      answer: done,
      refusals: ['INVALID_TOKEN'],
      handle:
        ({ accounts, log }) =>
        ({ ctx, body: { token, password } }) =>
          noteFailedSignIn(log, ctx, 'reset token', accounts.resets.confirm(token, password)),
    }),
    endpoint({
      ...{ method: 'POST', path: '/api/users/me/password', id: 'changePassword' },
      // Somebody with a stolen session must not guess passwords faster than at the sign-in.
      ...{ authentication: 'session', rate: 'authentication' },
      summary: 'Set another password; all other sessions end',
      description: 'Every other session of the user ends; the answer has a new token for this one.',
      body: {
        type: 'object',
        required: ['currentPassword', 'password'],
        properties: {
          currentPassword: { type: 'string', minLength: 1, maxLength: 256, description: 'The password until now.' },
          password: newPassword,
        },
      },
      example: () => ({ currentPassword: SAMPLE_PASSWORDS.old, password: SAMPLE_PASSWORDS.new }),
      answer: ok('Signed in.', signInResponse),
      handle:
        ({ accounts, log }) =>
        ({ ctx, user, body }) =>
          noteFailedSignIn(log, ctx, 'current password', accounts.changePassword(user, body)),
    }),
  ],
}
