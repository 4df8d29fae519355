import { randomUUIDv7 } from 'node:crypto'
import { ServiceError } from '../errors.ts'

/** Milliseconds of the last id. */
let last = 0

/** How many ids before the last one had the same milliseconds. */
let count = 0

/**
 * A prefix and a unique id: UUIDv7 without dashes. Ids of one process sort in the order in which they were made, also
 * within a millisecond: a counter takes the place of `rand_a` (RFC 9562, section 6.2, method 1).
 */
export function newId(prefix = ''): string {
  const id = randomUUIDv7().replaceAll('-', '')
  const now = Number.parseInt(id.slice(0, 12), 16)
  count++
  // The clock may go back.
  if (now > last || count > 0xfff) {
    last = Math.max(now, last + 1)
    count = 0
  }
  return `${prefix}${last.toString(16).padStart(12, '0')}7${count.toString(16).padStart(3, '0')}${id.slice(16)}`
}

/** Encodes the end of a page as a cursor, which is opaque to clients. */
const encodeCursor = (id: string): string => Buffer.from(id).toString('base64url')

/** Returns the cursor after the first `limit` rows; null: there are no more. */
export function cursorAfter(rows: readonly { id: string }[], limit: number): string | null {
  const last = rows[limit - 1]
  return last && rows.length > limit ? encodeCursor(last.id) : null
}

/** @throws ServiceError BAD_REQUEST for a text that `encodeCursor` did not make. */
export function decodeCursor(cursor: string): string {
  const id = Buffer.from(cursor.slice(0, 100), 'base64url').toString('latin1')
  if (!/^[a-z]+_[0-9a-f]{32}$/.test(id) || encodeCursor(id) !== cursor) {
    throw new ServiceError('BAD_REQUEST', 'cursor must be the nextCursor of an earlier answer')
  }
  return id
}
