import { createJwt } from './jwt.ts'
import type { Secrets } from './secret.ts'

/** Signed, short-lived permissions to download one output. */
export interface DownloadTokens {
  /** Resolves to a token for this output of this owner. */
  sign(owner: string, key: string): Promise<string>
  /** Returns what the token permits; undefined for a token that is forged or expired, or is not a download token. */
  verify(token: string): Promise<{ owner: string; key: string } | undefined>
}

/** Address of the output of a conversion. @param base Address of the service. @param name The conversion's id. */
export const downloadUrl = (base: string, name: string, token: string) =>
  `${base}/api/files/${encodeURIComponent(name)}/download?token=${token}`

/** @param lifetime Of a token, in milliseconds. */
export function createDownloadTokens(secrets: Secrets, lifetime: number): DownloadTokens {
  const jwt = createJwt(secrets, 'athanor:download', lifetime)
  return {
    sign: (owner, key) => jwt.sign(owner, { out: key }),
    async verify(token) {
      const claims = await jwt.verify(token)
      return claims && typeof claims.out === 'string' ? { owner: claims.sub, key: claims.out } : undefined
    },
  }
}
