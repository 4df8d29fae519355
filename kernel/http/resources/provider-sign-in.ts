import type { Kernel } from '../../boot/kernel.ts'
import { ServiceError } from '../../errors.ts'
import { STATE_LIFETIME } from '../../people/oauth-states.ts'
import { list, record, text } from '../answer/response-schema.ts'
import { envelope } from '../answer/shape.ts'
import { baseUrl, type Context, setCookie } from '../context.ts'
import { endpoint, ok, type Resource, SENT } from '../endpoint.ts'
import { noteFailedSignIn } from '../identity/sign-in-guard.ts'
import { signInResponse } from './sign-in.ts'

/** The cookie by which the callback knows the browser that began a sign-in. */
const COOKIE = 'athanor_sign_in'

const providerList = envelope(
  record({ providers: list('SignInProvider') }),
  (providers: readonly { id: string; name: string }[]) => ({
    providers: providers.map(({ id, name }) => ({ id, name, url: `/api/auth/${id}` })),
  }),
  () => [{ id: 'google', name: 'Google' }],
)

export const providerSignIn: Resource = {
  tag: 'Accounts',
  schemas: {
    SignInProvider: record({
      id: text('Name in paths.'),
      name: text('Name for people.'),
      url: text('Path to open in a browser.', { pattern: '^/api/auth/[a-z][a-z0-9-]*$' }),
    }),
  },
  endpoints: [
    endpoint('GET', '/api/auth/providers', {
      id: 'listSignInProviders',
      authentication: 'optional',
      rate: 'authentication',
      summary: 'List the sign-in providers',
      description: 'To sign in with a provider, open its `url` in a browser.',
      answer: ok('All of them.', providerList),
      handle: ({ accounts }) => accounts.external.providers,
    }),
    endpoint('GET', '/api/auth/:provider', {
      id: 'startProviderSignIn',
      authentication: 'optional',
      rate: 'authentication',
      summary: 'Sign in with a provider',
      description: 'Redirects the browser to the provider.',
      answer: { status: 302, description: 'To the provider.', headers: ['Location', 'Set-Cookie'] },
      refusals: ['NOT_FOUND', 'NOT_READY'],
      handle: async ({ accounts, config }, { ctx, params: { provider } }) => {
        const redirectUri = callbackUrl(config, ctx)
        const { location, browser } = await accounts.external.begin(provider, redirectUri)
        setCookie(ctx, COOKIE, browser, { url: redirectUri, seconds: STATE_LIFETIME })
        redirect(ctx, location)
        return SENT
      },
    }),
    endpoint('GET', '/api/auth/:provider/callback', {
      id: 'finishProviderSignIn',
      authentication: 'optional',
      rate: 'authentication',
      summary: 'Finish a sign-in with a provider',
      description:
        'The provider sends the browser here. The answer is that of a login, or redirects to a page of the operator.',
      // RFC 6749 §4.1.2 and RFC 9207.
      query: {
        type: 'object',
        properties: {
          state: { type: 'string', description: 'State from the redirect.' },
          code: { type: 'string', description: 'Authorization code.' },
          error: { type: 'string', description: 'Why the provider refused.' },
          iss: { type: 'string', description: 'Issuer.' },
        },
      },
      readsQuery: true,
      answer: ok('Signed in.', signInResponse),
      refusals: ['BAD_REQUEST', 'NOT_FOUND', 'NOT_READY'],
      handle: async ({ accounts, config, log }, { ctx, params: { provider } }) => {
        const { returnUrl } = config.accounts
        const url = callbackUrl(config, ctx)
        setCookie(ctx, COOKIE, '', { url, seconds: 0 })
        try {
          const end = accounts.external.end(provider, new URL(`${url}?${ctx.querystring}`), ctx.cookies.get(COOKIE))
          const user = await noteFailedSignIn(log, ctx, 'provider', end)
          const signedIn = await accounts.signIn(user, provider)
          if (!returnUrl) return signedIn
          redirect(ctx, `${returnUrl}#token=${signedIn.token}`)
        } catch (error) {
          if (!returnUrl || !(error instanceof ServiceError)) throw error
          redirect(ctx, `${returnUrl}#${new URLSearchParams({ error: error.code, message: error.message })}`)
        }
        return SENT
      },
    }),
  ],
}

const callbackUrl = (config: Kernel['config'], ctx: Context) =>
  `${baseUrl(config, ctx)}/api/auth/${encodeURIComponent(ctx.params.provider ?? '')}/callback`

function redirect(ctx: Context, location: string): void {
  ctx.status = 302
  ctx.set('Location', location)
}
