import { EncryptJWT, jwtDecrypt } from 'jose'
import { deriveKey } from '../secret.ts'
import type { Flow } from './provider.ts'

/** Time limit of a sign-in at the provider, in seconds. */
export const FLOW_LIFETIME = 600

const AUDIENCE = 'athanor:sign-in'

/** Encrypts the state of a sign-in (RFC 7516) for the browser that started it, and for one provider. */
export function createFlowSeal(secret: string) {
  const key = deriveKey(secret, AUDIENCE)
  return {
    seal: (provider: string, flow: Flow): Promise<string> =>
      new EncryptJWT({ ...flow })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setAudience(AUDIENCE)
        .setSubject(provider)
        .setExpirationTime(`${FLOW_LIFETIME}s`)
        .encrypt(key),

    /** Returns undefined if it is forged, expired or of another provider. */
    async open(provider: string, sealed: string): Promise<Flow | undefined> {
      try {
        const { payload } = await jwtDecrypt<Flow>(sealed, key, {
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
          audience: AUDIENCE,
          subject: provider,
          requiredClaims: ['exp'],
        })
        return payload
      } catch {
        return undefined
      }
    },
  }
}
