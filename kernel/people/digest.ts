import { createHash } from 'node:crypto'

/** SHA-256 in hexadecimal, for random secrets. They have too much entropy to be guessed, so a fast hash is safe. */
export const digestOf = (secret: string) => createHash('sha256').update(secret).digest('hex')
