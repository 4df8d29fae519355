import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
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
export interface ConnectStates {
  make(owner: string, provider: string): Promise<ConnectState>
  /** Returns the state with its owner; undefined if it is forged, expired, or for another provider. */
  check(state: string, provider: string): Promise<(ConnectState & { owner: string }) | undefined>
}

/** Seconds that a user has to grant the permission. */
export const STATE_LIFETIME = 600

/** Makes states as JWTs (RFC 7519, HS256), bound to owner and provider; derives their secret parts from the `jti`. */
export function createConnectStates(secret: string): ConnectStates {
  const key = deriveKey(secret, 'athanor:connect')
  const derive = (number: string, purpose: string) =>
    createHmac('sha256', key).update(`${purpose}\0${number}`).digest('base64url')
  const parts = (state: string, number: string): ConnectState => ({
    state,
    verifier: derive(number, 'verifier'),
    browser: derive(number, 'browser'),
  })
  const audienceOf = (provider: string) => `athanor:connect:${provider}`

  return {
    async make(owner, provider) {
      const number = randomBytes(16).toString('base64url')
      const state = await new SignJWT()
        .setProtectedHeader({ alg: 'HS256' })
        .setAudience(audienceOf(provider))
        .setSubject(owner)
        .setJti(number)
        .setExpirationTime(Math.floor(Date.now() / 1000) + STATE_LIFETIME)
        .sign(key)
      return parts(state, number)
    },
    async check(state, provider) {
      try {
        const { payload } = await jwtVerify(state, key, {
          algorithms: ['HS256'],
          audience: audienceOf(provider),
          requiredClaims: ['sub', 'jti', 'exp'],
        })
        const { jti = '', sub: owner = '' } = payload
        return { ...parts(state, jti), owner }
      } catch {
        return undefined
      }
    },
  }
}

/** Returns true if a cookie belongs to the state. Compares in constant time. */
export function isSameBrowser(expected: string, cookie: string | undefined): boolean {
  const a = Buffer.from(expected)
  const b = Buffer.from(cookie ?? '')
  return a.length === b.length && timingSafeEqual(a, b)
}
