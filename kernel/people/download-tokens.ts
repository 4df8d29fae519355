import { createJwt } from './jwt.ts'
import type { Secrets } from './secret.ts'

/** Signed, short-lived permissions to download one output. */
export type DownloadTokens = ReturnType<typeof createDownloadTokens>

/** Address of the output of a conversion. @param base Address of the service. @param name The conversion's id. */
export const downloadUrl = (base: string, name: string, token: string) =>
  `${base}/api/files/${encodeURIComponent(name)}/download?token=${token}`

/** @param lifetime Of a token, in milliseconds. */
export function createDownloadTokens(secrets: Secrets, lifetime: number) {
  const jwt = createJwt(secrets, 'athanor:download', lifetime)
  return {
    /** Resolves to a token for this output of this owner. */
    sign: (owner: string, key: string) => jwt.sign(owner, { out: key }),
    /** Returns what the token permits; undefined for a token that is forged or expired, or is not a download token. */
    async verify(token: string) {
      const claims = await jwt.verify(token)
      return claims && typeof claims.out === 'string' ? { owner: claims.sub, key: claims.out } : undefined
    },
  }
}
