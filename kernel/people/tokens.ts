import { createHmac, randomBytes } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { jwtVerify } from 'jose'
import { isCompactToken } from './compact-token.ts'
import { deriveKey, deriveTokenKey } from './derive-key.ts'

/** Signed, short-lived permissions to download one output. */
export interface DownloadTokens {
  /** Returns a token for this output of this owner. All calls within one second share it. */
  sign(owner: string, key: string): string
  /** Returns what the token permits; undefined for a token that is forged or expired, or is not a download token. */
  verify(token: string): Promise<{ owner: string; key: string } | undefined>
}

const AUDIENCE = 'athanor:download'

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
const HEADER = encode({ alg: 'HS256' })

/** Download tokens as JWTs (RFC 7519), HS256 only, with their own key. @param lifetime In milliseconds. */
export function createDownloadTokens(secret: string, lifetime: number): DownloadTokens {
  const key = deriveKey(secret, AUDIENCE)
  const verifying = deriveTokenKey(secret, AUDIENCE)
  // Clients that poll fast get the token of this second again.
  let second = 0
  const recent = new Map<string, string>()

  return {
    sign(owner, output) {
      const now = Math.floor(Date.now() / 1000)
      if (now !== second) recent.clear()
      second = now
      let token = recent.get(output)
      if (token === undefined) {
        const claims = { out: output, aud: AUDIENCE, sub: owner, iat: now, exp: now + Math.ceil(lifetime / 1000) }
        const signed = `${HEADER}.${encode(claims)}`
        // At once, while the Web Crypto API of jose asks another thread.
        token = `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
        recent.set(output, token)
      }
      return token
    },
    async verify(token) {
      if (!isCompactToken(token)) return undefined
      try {
        const { payload } = await jwtVerify(token, await verifying, {
          algorithms: ['HS256'],
          audience: AUDIENCE,
          requiredClaims: ['sub', 'exp', 'iat'],
        })
        const { sub, out } = payload
        return typeof sub === 'string' && typeof out === 'string' ? { owner: sub, key: out } : undefined
      } catch {
        return undefined
      }
    },
  }
}

/** Returns the configured secret, or else a secret that is generated once and kept in the data folder. */
export async function loadSecret(configured: string | undefined, dataDir: string): Promise<string> {
  if (configured) return configured
  const path = join(dataDir, 'secret')
  try {
    await using file = await open(path, 'wx', 0o600)
    await file.writeFile(randomBytes(48).toString('base64url'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFile(path, 'utf8')
}
