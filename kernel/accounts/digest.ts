import { createHash } from 'node:crypto'

/** How random secrets are kept: SHA-256 in hexadecimal. They have too much entropy to be guessed, so it may be fast. */
export const digestOf = (secret: string) => createHash('sha256').update(secret).digest('hex')
