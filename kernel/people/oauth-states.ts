import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { createJwt } from './jwt.ts'
import { deriveKey } from './secret.ts'

/** Seconds that somebody has to sign in at a provider, or to grant a permission there. */
export const STATE_LIFETIME = 600

/** What an authorization request says, and what its callback is checked by. */
export interface OAuthState {
  /** The `state` parameter (RFC 6749 §10.12). The other values follow from it and from the service's secret. */
  state: string
  /** PKCE code verifier (RFC 7636 §4.1); never leaves the service before the code arrives. */
  verifier: string
  /** The `nonce` parameter (OpenID Connect Core 1.0 §3.1.2.1). */
  nonce: string
  /** Value of a cookie: proves that the same browser began the request. */
  browser: string
}

/** Makes and checks states; stores nothing, so that any node can take the callback. */
export type OAuthStates = ReturnType<typeof createOAuthStates>

/**
 * Makes states as JWTs (RFC 7519), each for one provider.
 *
 * @param secret The service's. @param purpose What people do at the provider: keeps the states of others apart.
 */
export function createOAuthStates(secret: string, purpose: 'connect' | 'sign-in') {
  const key = deriveKey(secret, `athanor:${purpose}`)
  const derive = (jti: string, part: string) => createHmac('sha256', key).update(`${part}\0${jti}`).digest('base64url')
  const withParts = (state: string, jti: string): OAuthState => ({
    state,
    verifier: derive(jti, 'verifier'),
    nonce: derive(jti, 'nonce'),
    browser: derive(jti, 'browser'),
  })
  const jwtFor = (provider: string) => createJwt([secret], `athanor:${purpose}:${provider}`, STATE_LIFETIME * 1000)

  return {
    /** @param subject Who asks. */
    async make(provider: string, subject: string) {
      const jti = randomBytes(16).toString('base64url')
      return withParts(await jwtFor(provider).sign(subject, { jti }), jti)
    },
    /** Returns the state and who asked; undefined if it is forged, expired, or for another provider. */
    async check(provider: string, state: string) {
      const claims = await jwtFor(provider).verify(state)
      return claims?.jti === undefined ? undefined : { ...withParts(state, claims.jti), subject: claims.sub }
    },
  }
}

/** Whether a cookie belongs to the state. Compares in constant time. */
export function isSameBrowser({ browser }: OAuthState, cookie: string | undefined): boolean {
  const expected = Buffer.from(browser)
  const given = Buffer.from(cookie ?? '')
  return expected.length === given.length && timingSafeEqual(expected, given)
}
