import { createKeyBody, loginBody, registerBody } from './account-schemas.ts'
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
