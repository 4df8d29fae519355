import {
  callbackQuery,
  changePasswordBody,
  confirmResetBody,
  createKeyBody,
  loginBody,
  registerBody,
  requestResetBody,
} from './account-schemas.ts'
import { BODY, COMMON, gone, type Operation, ok } from './operation.ts'

/** The routes of accounts, sign-in and API keys, described. */
export const accountOperations: readonly Operation[] = [
  {
    ...{ method: 'POST', path: '/api/auth/register', id: 'register', tag: 'Accounts' },
    summary: 'Make an account and sign in; the operator may have closed it',
    body: registerBody,
    success: [{ status: 201, description: 'Signed in.', schema: 'SignInResponse' }],
    refusals: [...COMMON, ...BODY, 'EMAIL_TAKEN'],
  },
  {
    ...{ method: 'POST', path: '/api/auth/login', id: 'login', tag: 'Accounts' },
    summary: 'Sign in for 7 days',
    body: loginBody,
    success: ok('Signed in.', 'SignInResponse'),
    refusals: [...COMMON, ...BODY],
  },
  {
    ...{ method: 'POST', path: '/api/auth/password-reset', id: 'requestPasswordReset', tag: 'Accounts' },
    summary: 'Have a link mailed that sets a new password; the answer is the same for any address',
    body: requestResetBody,
    success: [{ status: 202, description: 'If there is such an account, a mail is sent.', schema: 'ResetAccepted' }],
    refusals: [...COMMON, ...BODY],
  },
  {
    ...{ method: 'POST', path: '/api/auth/password-reset/confirm', id: 'confirmPasswordReset', tag: 'Accounts' },
    summary: 'Set a new password by the token of a mailed link; all sessions end',
    body: confirmResetBody,
    success: gone,
    refusals: [...COMMON, ...BODY, 'INVALID_TOKEN'],
  },
  {
    ...{ method: 'GET', path: '/api/auth/providers', id: 'listSignInProviders', tag: 'Accounts' },
    summary: 'List where one can sign in besides',
    success: ok('All of them.', 'SignInProviderList'),
    refusals: COMMON,
  },
  {
    ...{ method: 'GET', path: '/api/auth/:provider', id: 'beginSignIn', tag: 'Accounts' },
    summary: 'Send the browser to a provider (OpenID Connect or OAuth 2, authorization code with PKCE)',
    success: [{ status: 302, description: 'To the provider.', headers: ['Location', 'Set-Cookie'] }],
    refusals: [...COMMON, 'NOT_FOUND', 'NOT_READY'],
  },
  {
    ...{ method: 'GET', path: '/api/auth/:provider/callback', id: 'endSignIn', tag: 'Accounts' },
    summary: 'Where the provider sends the browser back; answers as a login, or redirects to the page of the operator',
    query: callbackQuery,
    success: ok('Signed in.', 'SignInResponse'),
    refusals: [...COMMON, 'BAD_REQUEST', 'NOT_FOUND', 'NOT_READY'],
  },
  {
    ...{ method: 'POST', path: '/api/users/me/password', id: 'changePassword', tag: 'Accounts', needs: 'session' },
    summary: 'Set another password; all other sessions end',
    body: changePasswordBody,
    success: ok('Signed in anew.', 'SignInResponse'),
    refusals: [...COMMON, ...BODY],
  },
  {
    ...{ method: 'GET', path: '/api/users/me', id: 'showMe', tag: 'Accounts', needs: 'session' },
    summary: 'Show the signed-in user, what was used today, and the limits of the plan',
    success: ok('The user.', 'MeResponse'),
    refusals: COMMON,
  },
  {
    ...{ method: 'GET', path: '/api/api-keys', id: 'listKeys', tag: 'Accounts', needs: 'session' },
    summary: 'List the active API keys',
    success: ok('All of them.', 'ApiKeyList'),
    refusals: COMMON,
  },
  {
    ...{ method: 'POST', path: '/api/api-keys', id: 'createKey', tag: 'Accounts', needs: 'session' },
    summary: 'Make an API key, up to the number of the plan',
    body: createKeyBody,
    success: [{ status: 201, description: 'The key, shown this once.', schema: 'ApiKeyResponse' }],
    refusals: [...COMMON, ...BODY],
  },
  {
    ...{ method: 'DELETE', path: '/api/api-keys/:id', id: 'revokeKey', tag: 'Accounts', needs: 'session' },
    summary: 'Revoke an API key at once',
    success: gone,
    refusals: [...COMMON, 'NOT_FOUND'],
  },
]
