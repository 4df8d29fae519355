import { randomUUIDv7 } from 'node:crypto'

/** Milliseconds of the last id, and how many ids before it had the same. */
let [last, count] = [0, 0]

/**
 * A prefix and a unique id: UUIDv7 without dashes. Ids of one process sort in the order in which they were made, also
 * within a millisecond: a counter takes the place of `rand_a` (RFC 9562, section 6.2, method 1).
 */
export function newId(prefix = ''): string {
  const id = randomUUIDv7().replaceAll('-', '')
  const now = Number.parseInt(id.slice(0, 12), 16)
  // The clock may go back.
  if (now > last) [last, count] = [now, 0]
  else if (++count > 0xfff) [last, count] = [last + 1, 0]
  return `${prefix}${last.toString(16).padStart(12, '0')}7${count.toString(16).padStart(3, '0')}${id.slice(16)}`
}
