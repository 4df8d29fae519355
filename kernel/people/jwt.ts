import { createSecretKey } from 'node:crypto'
import { type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { deriveKey, type Secrets } from './secret.ts'

/** Signs and verifies the tokens of one kind. */
interface Jwt {
  /** @param subject Whom the token is for. @param claims What it says beyond that. */
  sign(subject: string, claims: JWTPayload): Promise<string>
  /** Returns the claims; undefined for a token that is forged or expired, or of another kind. */
  verify(token: string): Promise<(JWTPayload & { sub: string }) | undefined>
}

/**
 * Tokens are JWTs (RFC 7519), HS256 only. Each kind has an audience and a key of its own.
 *
 * @param lifetime In milliseconds.
 */
export function createJwt(secrets: Secrets, audience: string, lifetime: number): Jwt {
  // jose would import bytes again for each token.
  const keyOf = (secret: string) =>
    createSecretKey(deriveKey(secret, audience)).toCryptoKey({ name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
      'verify',
    ])
  const key = keyOf(secrets[0])
  const keys = [key, ...secrets.slice(1).map(keyOf)]
  return {
    sign: (subject, claims) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256' })
        .setAudience(audience)
        .setSubject(subject)
        .setIssuedAt()
        .setExpirationTime(`${Math.ceil(lifetime / 1000)}s`)
        .sign(key),

    async verify(token) {
      if (!isCanonical(token)) return undefined
      const options = { algorithms: ['HS256'], audience, requiredClaims: ['sub', 'exp', 'iat'] }
      for (const key of keys) {
        try {
          const { payload } = await jwtVerify(token, key, options)
          const { sub } = payload
          return typeof sub === 'string' ? { ...payload, sub } : undefined
        } catch {} // Forged, expired, or signed with another of the secrets.
      }
      return undefined
    },
  }
}

/**
 * Whether a text is a JWS in compact form (RFC 7515 §7.1) in its only valid spelling: three parts of base64url without
 * padding, whitespace or stray bits. jose accepts other spellings of the same bytes. Then one token would have several
 * texts, and could not be revoked, logged or compared by its text.
 */
function isCanonical(token: string): boolean {
  const parts = token.split('.')
  return parts.length === 3 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
}
