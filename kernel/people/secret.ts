import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config/config.ts'

/** The service's secrets. The first one signs and seals. What one of the others signed or sealed is accepted, too. */
export type Secrets = readonly [current: string, ...previous: string[]]

/** Returns the configured secrets, or else a secret that is generated once and kept in the data folder. */
export async function loadSecrets({
  jwtSecret,
  previousSecret,
  dataDir,
}: Pick<Config, 'jwtSecret' | 'previousSecret' | 'dataDir'>): Promise<Secrets> {
  if (jwtSecret) return previousSecret ? [jwtSecret, previousSecret] : [jwtSecret]
  const path = join(dataDir, 'secret')
  try {
    await using file = await open(path, 'wx', 0o600)
    await file.writeFile(randomBytes(48).toString('base64url'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return [await readFile(path, 'utf8')]
}

/** Derives a 32-byte key for one purpose from the service's secret: HKDF with SHA-256 (RFC 5869). */
export const deriveKey = (secret: string, purpose: string) =>
  new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32))

/** SHA-256 in hexadecimal, for random secrets. They have too much entropy to be guessed, so a fast hash is safe. */
export const digestOf = (secret: string) => createHash('sha256').update(secret).digest('hex')
