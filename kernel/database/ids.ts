import { randomUUIDv7 } from 'node:crypto'

/** A prefix and a sortable unique id: UUIDv7 (RFC 9562) without dashes. */
export const newId = (prefix = '') => prefix + randomUUIDv7().replaceAll('-', '')
