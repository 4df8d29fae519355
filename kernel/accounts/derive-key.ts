import { hkdfSync } from 'node:crypto'

/** Derives a 32-byte key for one purpose from the service's secret: HKDF with SHA-256 (RFC 5869). */
export const deriveKey = (secret: string, purpose: string) =>
  new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32))
