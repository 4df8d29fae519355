import { hkdfSync } from 'node:crypto'

/** A key of its own for each purpose out of the server's secret: HKDF with SHA-256 (RFC 5869), 32 bytes. */
export const deriveKey = (secret: string, purpose: string) =>
  new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32))
