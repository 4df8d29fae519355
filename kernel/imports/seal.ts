import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { deriveKey } from '../people/secret.ts'

/** Encrypts texts at rest. A text is bound to its place and cannot be opened in another. */
export interface Seal {
  close(text: string, place: string): string
  /** Returns undefined if the text was changed, or sealed for another place or with another secret. */
  open(sealed: string, place: string): string | undefined
}

const ALGORITHM = 'aes-256-gcm'
const NONCE = 12
const TAG = 16

/**
 * Creates a seal with AES-256-GCM (NIST SP 800-38D), a random nonce for each text, and a key for this purpose by HKDF
 * (RFC 5869). A sealed text is `v1.` and the base64url of nonce, tag and ciphertext.
 */
export function createSeal(secret: string, purpose: string): Seal {
  const key = deriveKey(secret, purpose)
  return {
    close(text, place) {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(place))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealed.slice(3), 'base64url')
      if (!sealed.startsWith('v1.') || bytes.length < NONCE + TAG) return undefined
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE), { authTagLength: TAG })
      decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString('utf8')
      } catch {
        return undefined
      }
    },
  }
}
