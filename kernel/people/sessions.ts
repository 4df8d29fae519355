import type { User } from '../database/tables/users.ts'
import { createJwt } from './jwt.ts'
import type { Secrets } from './secret.ts'

/** Content of a session token. */
interface SessionClaims {
  userId: string
  /** The user's `session_version` when it was issued. */
  version: number
  /** When it was issued, in epoch milliseconds, to the second. */
  issuedAt: number
}

export interface Sessions {
  sign(user: Pick<User, 'id' | 'session_version'>): Promise<string>
  /** Undefined for a token that is forged or expired, or is not a session token. */
  verify(token: string): Promise<SessionClaims | undefined>
}

/** @param lifetime Of a session token, in milliseconds. */
export function createSessions(secrets: Secrets, lifetime: number): Sessions {
  const jwt = createJwt(secrets, 'athanor:session', lifetime)
  return {
    sign: ({ id, session_version }) => jwt.sign(id, { ver: session_version }),
    async verify(token) {
      const claims = await jwt.verify(token)
      if (!claims || typeof claims.ver !== 'number') return undefined
      return { userId: claims.sub, version: claims.ver, issuedAt: Number(claims.iat) * 1000 }
    },
  }
}
