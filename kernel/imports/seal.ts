import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { deriveKey } from '../accounts/derive-key.ts'

/** Encrypts what is kept at rest, each for its place: a text that was moved to another place does not open. */
export interface Seal {
  close(text: string, place: string): string
  /** Undefined when it was sealed elsewhere, changed, or with another secret. */
  open(sealed: string, place: string): string | undefined
}

const ALGORITHM = 'aes-256-gcm'
const [NONCE, TAG] = [12, 16]

/**
 * AES-256-GCM (NIST SP 800-38D) with a random nonce each time and a key of its own by HKDF (RFC 5869). The text is
 * `v1.` and base64url of nonce, tag and ciphertext.
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
