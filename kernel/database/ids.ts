import { randomUUIDv7 } from 'node:crypto'

/** Returns a prefix with a sortable unique id: UUIDv7 (RFC 9562) without dashes. */
export const newId = (prefix = '') => prefix + randomUUIDv7().replaceAll('-', '')
