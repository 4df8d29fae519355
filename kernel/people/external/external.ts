import type { Logger } from 'pino'
import type { ProviderSettings } from '../../../config/config.ts'
import { ServiceError, StartError } from '../../errors.ts'
import type { PeopleNeeds } from '../needs.ts'
import { createOAuthStates, isSameBrowser } from '../oauth-states.ts'
import type { Users } from '../users.ts'
import { createAccountLink } from './link.ts'
import type { IdentityProvider } from './provider.ts'

const GOOGLE = { issuer: 'https://accounts.google.com', name: 'Google' }

/** Sign-in with the configured providers. OpenID Connect providers other than Google need an issuer. */
export async function createExternalSignIn(kernel: PeopleNeeds, users: Users) {
  const { config, secrets, log } = kernel
  const providers = new Map<string, IdentityProvider>()
  for (const [id, settings] of Object.entries(config.accounts.providers)) {
    providers.set(id, await createProvider(id, settings, log))
  }
  const states = createOAuthStates(secrets[0], 'sign-in')
  const link = createAccountLink(kernel, users)

  function find(id: string): IdentityProvider {
    const provider = providers.get(id)
    if (!provider) throw new ServiceError('NOT_FOUND', 'There is no such provider; GET /api/auth/providers lists them')
    return provider
  }

  return {
    /** Providers that the operator has configured. */
    providers: [...providers.values()],

    /**
     * Starts a sign-in: returns the URL for the browser, and the browser's proof. @throws ServiceError NOT_FOUND.
     */
    async begin(id: string, redirectUri: string) {
      const provider = find(id)
      const state = await states.make(id, 'anybody')
      const location = await provider.authorizeUrl(state, redirectUri)
      return { location: location.href, browser: state.browser }
    },

    /**
     * Ends a sign-in. Resolves to the user. @param callback The redirect's URL with its query.
     * @param browser The proof that the browser kept.
     * @throws ServiceError NOT_FOUND, BAD_REQUEST if another browser started it, UNAUTHORIZED, FORBIDDEN, NOT_READY.
     */
    async end(id: string, callback: URL, browser: string | undefined) {
      const provider = find(id)
      const state = await states.check(id, callback.searchParams.get('state') ?? '')
      if (!state || !isSameBrowser(state, browser)) {
        throw new ServiceError(
          'BAD_REQUEST',
          `state must belong to a sign-in that this browser started within the last 10 minutes; start again at /api/auth/${id}`,
        )
      }
      return link(provider.name, await provider.identify(callback, state))
    },
  }
}

/** Their library is loaded only if an operator has configured one. */
async function createProvider(id: string, settings: ProviderSettings, log: Logger): Promise<IdentityProvider> {
  if (id === 'github') return (await import('./github.ts')).createGitHubProvider(id, settings, log)
  const { issuer, ...rest } = { ...(id === 'google' && GOOGLE), ...settings }
  // The schema of the configuration requires it of all but google and github.
  if (issuer === undefined) throw new StartError(`accounts.providers.${id}.issuer is missing.`)
  return (await import('./oidc.ts')).createOidcProvider(id, { ...rest, issuer }, log)
}
