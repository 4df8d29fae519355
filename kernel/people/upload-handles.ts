import { createJwt } from './jwt.ts'
import type { Secrets } from './secret.ts'

/** Milliseconds for which a handle is valid. */
export const HANDLE_LIFETIME = 15 * 60_000

/** A promised place for a file: whoever sends the bytes needs no credential. */
export interface UploadHandle {
  /** Id of who will own the file. */
  owner: string
  /** The storage key that the file will have. */
  key: string
  /** File name, as it was given. */
  name: string
}

/** Signs and reads handles. */
export function createUploadHandles(secrets: Secrets) {
  const jwt = createJwt(secrets, 'athanor:upload', HANDLE_LIFETIME)
  const nameIn = (key: string) => key.slice(key.lastIndexOf('/') + 1)
  return {
    /** Language models copy it, so it is short: the name is left out where the key has it. */
    sign: ({ owner, key, name }: UploadHandle) => jwt.sign(owner, { key, ...(name !== nameIn(key) && { name }) }),
    /** Undefined for a handle that is forged or expired. */
    async verify(token: string) {
      const claims = await jwt.verify(token)
      if (typeof claims?.key !== 'string') return undefined
      const { sub: owner, key, name = nameIn(key) } = claims
      return { owner, key, name: String(name) }
    },
  }
}
