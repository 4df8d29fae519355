import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { deriveKey, type Secrets } from './secret.ts'

/** Encrypts texts at rest. A text is bound to its place and cannot be opened in another. */
export type Seal = ReturnType<typeof createSeal>

const ALGORITHM = 'aes-256-gcm'
const NONCE = 12
const TAG = 16

/**
 * Creates a seal with AES-256-GCM (NIST SP 800-38D), a random nonce for each text, and a key for this purpose by HKDF
 * (RFC 5869). A sealed text is `v1.` and the base64url of nonce, tag and ciphertext.
 */
export function createSeal(secrets: Secrets, purpose: string) {
  const keys = secrets.map((secret) => deriveKey(secret, purpose))
  const [current, ...previous] = keys as [Uint8Array, ...Uint8Array[]]

  function close(text: string, place: string): string {
    const nonce = randomBytes(NONCE)
    const cipher = createCipheriv(ALGORITHM, current, nonce).setAAD(Buffer.from(place))
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`
  }

  return {
    close,
    /** Returns undefined if the text was changed, or sealed for another place or with none of the secrets. */
    open: (sealed: string, place: string) => openWith(keys, sealed, place),
    /** Seals a text again that a previous secret sealed. Undefined: the current one did, or it cannot be opened. */
    renew(sealed: string, place: string) {
      if (openWith([current], sealed, place) !== undefined) return undefined
      const text = openWith(previous, sealed, place)
      return text === undefined ? undefined : close(text, place)
    },
  }
}

/** Returns the text, if one of these keys has sealed it for this place. */
function openWith(keys: readonly Uint8Array[], sealed: string, place: string): string | undefined {
  const bytes = Buffer.from(sealed.slice(3), 'base64url')
  if (!sealed.startsWith('v1.') || bytes.length < NONCE + TAG) return undefined
  for (const key of keys) {
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE), { authTagLength: TAG })
    decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
    try {
      return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString('utf8')
    } catch {} // Another key, or changed.
  }
  return undefined
}
