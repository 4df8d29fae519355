import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { deriveKey } from '../accounts/derive-key.ts'

/** What goes with a request for permission, and is asked back when the provider sends the browser here. */
export interface ConnectState {
  /** The `state` parameter (RFC 6749 §10.12). */
  state: string
  /** PKCE (RFC 7636 §4.1); never leaves the service before the code comes. */
  verifier: string
  /** For a cookie of the browser that asked: whoever else brings the state is somebody else. */
  browser: string
}

/** Makes and checks states; nothing is stored. */
export interface ConnectStates {
  make(owner: string, provider: string): Promise<ConnectState>
  /** Whose state it is; undefined when it is forged, expired, or another provider's. */
  check(state: string, provider: string): Promise<(ConnectState & { owner: string }) | undefined>
}

/** Seconds that a person has to say yes. */
export const STATE_LIFETIME = 600

/** States as JWTs (RFC 7519), HS256, bound to owner and provider; what stays secret is derived from their number. */
export function createConnectStates(secret: string): ConnectStates {
  const key = deriveKey(secret, 'athanor:connect')
  const derive = (number: string, purpose: string) =>
    createHmac('sha256', key).update(`${purpose}\0${number}`).digest('base64url')
  const parts = (state: string, number: string): ConnectState => ({
    ...{ state, verifier: derive(number, 'verifier'), browser: derive(number, 'browser') },
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
        return { ...parts(state, payload.jti!), owner: payload.sub! }
      } catch {
        return undefined
      }
    },
  }
}

/** Whether a cookie is the one that went with the state; takes the same time for any. */
export function isSameBrowser(expected: string, cookie: string | undefined): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(cookie ?? '')]
  return a.length === b.length && timingSafeEqual(a, b)
}
