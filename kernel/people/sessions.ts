import { jwtVerify, SignJWT } from 'jose'
import type { User } from '../database/tables/users.ts'
import { isCompactToken } from './compact-token.ts'
import { deriveTokenKey } from './derive-key.ts'

/** Content of a session token: its user, and the user's `session_version` when it was issued. */
export interface SessionClaims {
  userId: string
  version: number
}

export interface Sessions {
  sign(user: Pick<User, 'id' | 'session_version'>): Promise<string>
  /** Undefined for a token that is forged or expired, or is not a session token. */
  verify(token: string): Promise<SessionClaims | undefined>
}

const AUDIENCE = 'athanor:session'

/** Session tokens as JWTs (RFC 7519), HS256 only, with their own key. @param lifetime In milliseconds. */
export function createSessions(secret: string, lifetime: number): Sessions {
  const key = deriveTokenKey(secret, AUDIENCE)
  return {
    async sign({ id, session_version }) {
      const now = Math.floor(Date.now() / 1000)
      return new SignJWT({ ver: session_version })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setAudience(AUDIENCE)
        .setSubject(id)
        .setIssuedAt(now)
        .setExpirationTime(now + Math.round(lifetime / 1000))
        .sign(await key)
    },
    async verify(token) {
      if (!isCompactToken(token)) return undefined
      try {
        const { payload } = await jwtVerify(token, await key, {
          algorithms: ['HS256'],
          audience: AUDIENCE,
          requiredClaims: ['sub', 'exp', 'iat', 'ver'],
        })
        const { sub, ver } = payload
        return typeof sub === 'string' && typeof ver === 'number' ? { userId: sub, version: ver } : undefined
      } catch {
        return undefined
      }
    },
  }
}
