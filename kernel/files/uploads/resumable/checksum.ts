import { createHash } from 'node:crypto'
import { checksumMismatch } from './refusals.ts'

/** The algorithms of checksums. The protocol demands SHA-1. */
export const CHECKSUMS = ['sha256', 'sha1'] as const

/** The checksum of a body, in Base64. */
export interface Checksum {
  algorithm: (typeof CHECKSUMS)[number]
  digest: string
}

/** Passes a body on. @throws ServiceError CHECKSUM_MISMATCH at its end if its checksum is another one. */
export async function* verified(body: AsyncIterable<Buffer>, { algorithm, digest }: Checksum): AsyncGenerator<Buffer> {
  const hash = createHash(algorithm)
  for await (const chunk of body) {
    hash.update(chunk)
    yield chunk
  }
  if (hash.digest('base64') !== digest) throw checksumMismatch()
}
