import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { createJwt } from '../people/jwt.ts'
import { deriveKey } from '../people/secret.ts'

/** The state of an authorisation request, checked when the provider redirects the browser back. */
export interface ConnectState {
  /** The `state` parameter (RFC 6749 §10.12). */
  state: string
  /** PKCE code verifier (RFC 7636 §4.1); never leaves the service before the code arrives. */
  verifier: string
  /** Value of a cookie: proves that the same browser started the request. */
  browser: string
}

/** Makes and checks states; stores nothing. */
export type ConnectStates = ReturnType<typeof createConnectStates>

/** Seconds that a user has to grant the permission. */
export const STATE_LIFETIME = 600

/** Makes states as JWTs (RFC 7519), bound to owner and provider; derives their secret parts from their `jti`. */
export function createConnectStates(secret: string) {
  const key = deriveKey(secret, 'athanor:connect')
  const derive = (number: string, purpose: string) =>
    createHmac('sha256', key).update(`${purpose}\0${number}`).digest('base64url')
  const parts = (state: string, number: string): ConnectState => ({
    state,
    verifier: derive(number, 'verifier'),
    browser: derive(number, 'browser'),
  })
  const jwtFor = (provider: string) => createJwt([secret], `athanor:connect:${provider}`, STATE_LIFETIME * 1000)

  return {
    async make(owner: string, provider: string) {
      const jti = randomBytes(16).toString('base64url')
      return parts(await jwtFor(provider).sign(owner, { jti }), jti)
    },
    /** Returns the state with its owner; undefined if it is forged, expired, or for another provider. */
    async check(state: string, provider: string) {
      const claims = await jwtFor(provider).verify(state)
      return claims?.jti === undefined ? undefined : { ...parts(state, claims.jti), owner: claims.sub }
    },
  }
}

/** Returns true if a cookie belongs to the state. Compares in constant time. */
export function isSameBrowser(expected: string, cookie: string | undefined): boolean {
  const a = Buffer.from(expected)
  const b = Buffer.from(cookie ?? '')
  return a.length === b.length && timingSafeEqual(a, b)
}
