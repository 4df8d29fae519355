import { hkdfSync, type webcrypto } from 'node:crypto'

/** Derives a 32-byte key for one purpose from the service's secret: HKDF with SHA-256 (RFC 5869). */
export const deriveKey = (secret: string, purpose: string) =>
  new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32))

/**
 * Derives such a key for JWTs with HS256 (RFC 7518 §3.2). jose would import bytes again for each token, which takes
 * twice as long as to verify it.
 */
export const deriveTokenKey = (secret: string, purpose: string): Promise<webcrypto.CryptoKey> =>
  crypto.subtle.importKey('raw', deriveKey(secret, purpose), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ])
