import { EncryptJWT, jwtDecrypt } from 'jose'
import { deriveKey } from '../derive-key.ts'
import type { Flow } from './provider.ts'

/** Seconds that a sign-in may take at the provider. */
export const FLOW_LIFETIME = 600

const AUDIENCE = 'athanor:sign-in'

/** Seals a sign-in for the browser that began it: encrypted (RFC 7516), for one provider. */
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

    /** Undefined for one that is forged, expired or of another provider. */
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
