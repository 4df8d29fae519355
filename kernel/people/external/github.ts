import * as openid from 'openid-client'
import type { Logger } from 'pino'
import type { ProviderSettings } from '../../../config/config.ts'
import { ANSWER_SECONDS, authorizeUrl, converse, insecureAllowed } from './client.ts'
import type { IdentityProvider } from './provider.ts'

const SITE = 'https://github.com'
interface GitHubUser {
  id: number
  login: string
  name: string | null
}

interface GitHubEmail {
  email: string
  primary: boolean
  verified: boolean
}

const SCOPES = ['read:user', 'user:email']

/**
 * GitHub, or a GitHub Enterprise server at another URL: OAuth 2 without OpenID Connect. Its REST API returns the user.
 * https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
 */
export function createGitHubProvider(
  id: string,
  { issuer: site = SITE, clientId, clientSecret, name = 'GitHub', scopes = SCOPES }: ProviderSettings,
  log: Logger,
): IdentityProvider {
  const base = site.replace(/\/+$/, '')
  const api = base === SITE ? 'https://api.github.com' : `${base}/api/v3`
  const issuer = `${base}/login/oauth`
  const config = new openid.Configuration(
    // Authorization responses carry this issuer (RFC 9207).
    { issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/access_token` },
    clientId,
    undefined,
    openid.ClientSecretPost(clientSecret),
  )
  config.timeout = ANSWER_SECONDS
  if (insecureAllowed(new URL(base))) openid.allowInsecureRequests(config)

  /** Asks for a resource of a known shape: GitHub's own server is trusted to send it. */
  async function request<T>(path: string, token: string): Promise<T> {
    const headers = new Headers({ accept: 'application/vnd.github+json', 'user-agent': 'athanor' })
    const answer = await openid.fetchProtectedResource(config, token, new URL(api + path), 'GET', null, headers)
    if (!answer.ok) {
      await answer.body?.cancel()
      throw Object.assign(new Error(`${path} answered ${answer.status}`), { cause: { status: answer.status } })
    }
    return (await answer.json()) as T
  }

  return {
    id,
    name,
    authorizeUrl: (state, redirectUri) => authorizeUrl(config, scopes.join(' '), state, redirectUri),
    identify: (callback, { state, verifier }) =>
      converse(name, log, async () => {
        const { access_token } = await openid.authorizationCodeGrant(config, callback, {
          pkceCodeVerifier: verifier,
          expectedState: state,
        })
        const [user, emails] = await Promise.all([
          request<GitHubUser>('/user', access_token),
          request<GitHubEmail[]>('/user/emails?per_page=100', access_token),
        ])
        const primary = emails.find((each) => each.primary)
        return {
          issuer,
          subject: String(user.id),
          email: primary?.email,
          emailVerified: primary?.verified === true,
          name: user.name ?? user.login,
        }
      }),
  }
}
