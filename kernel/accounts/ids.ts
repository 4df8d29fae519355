import { createHash, randomUUIDv7 } from 'node:crypto'

/** A prefix and a sortable unique id: UUIDv7 (RFC 9562) without dashes. */
export const newAccountId = (prefix: string) => prefix + randomUUIDv7().replaceAll('-', '')

/** How random secrets are kept: SHA-256 in hexadecimal. They have too much entropy to be guessed, so it may be fast. */
export const digestOf = (secret: string) => createHash('sha256').update(secret).digest('hex')
