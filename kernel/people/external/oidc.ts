import * as openid from 'openid-client'
import type { Logger } from 'pino'
import type { ProviderSettings } from '../../../config/config.ts'
import { ServiceError } from '../../errors.ts'
import { ANSWER_SECONDS, authorizeUrl, converse, insecureAllowed } from './client.ts'
import type { IdentityProvider } from './provider.ts'

const SCOPES = ['openid', 'email', 'profile']

/** An OpenID Connect provider (Core 1.0). Discovery 1.0 tells its endpoints. */
export function createOidcProvider(
  id: string,
  { issuer, clientId, clientSecret, name = id, scopes = SCOPES }: ProviderSettings & { issuer: string },
  log: Logger,
): IdentityProvider {
  let discovered: Promise<openid.Configuration> | undefined

  /** Discovered once; repeated after a failure. */
  function configuration(): Promise<openid.Configuration> {
    discovered ??= discover().catch((error) => {
      discovered = undefined
      log.warn({ provider: name, reason: (error as Error).message.slice(0, 200) }, 'provider not discovered')
      throw new ServiceError('NOT_READY', `${name} cannot be reached; try again later`, { retryAfter: 30 })
    })
    return discovered
  }

  async function discover(): Promise<openid.Configuration> {
    const url = new URL(issuer)
    const execute = insecureAllowed(url) ? [openid.allowInsecureRequests] : []
    const found = await openid.discovery(url, clientId, undefined, openid.None(), { execute, timeout: ANSWER_SECONDS })
    const metadata = found.serverMetadata()
    // Without a list, the default is the header (Discovery 1.0 §3).
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const authenticate = methods.includes('client_secret_basic') ? openid.ClientSecretBasic : openid.ClientSecretPost
    const config = new openid.Configuration(metadata, clientId, undefined, authenticate(clientSecret))
    config.timeout = ANSWER_SECONDS
    for (const apply of execute) apply(config)
    return config
  }

  return {
    id,
    name,
    authorizeUrl: async (state, redirectUri) =>
      authorizeUrl(await configuration(), scopes.join(' '), state, redirectUri),
    identify: async (callback, { state, nonce, verifier }) => {
      const config = await configuration()
      return converse(name, log, async () => {
        const tokens = await openid.authorizationCodeGrant(config, callback, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (!claims) throw new Error('no ID token, although one is expected')
        // Many providers return the email address only here (Core 1.0 §5.4).
        const ask = claims.email === undefined && config.serverMetadata().userinfo_endpoint !== undefined
        const more = ask ? await openid.fetchUserInfo(config, tokens.access_token, claims.sub) : {}
        const { email, email_verified, name: called } = { ...claims, ...more } as Record<string, unknown>
        return {
          issuer: claims.iss,
          subject: claims.sub,
          email: typeof email === 'string' ? email : undefined,
          emailVerified: email_verified === true || email_verified === 'true',
          name: typeof called === 'string' ? called : undefined,
        }
      })
    },
  }
}
