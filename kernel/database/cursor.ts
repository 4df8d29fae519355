import { ServiceError } from '../errors.ts'

/** Encodes the end of a page as a cursor, which is opaque to clients. */
export const encodeCursor = (id: string) => Buffer.from(id).toString('base64url')

/** @throws ServiceError BAD_REQUEST for a text that `encodeCursor` did not make. */
export function decodeCursor(cursor: string): string {
  const id = Buffer.from(cursor.slice(0, 100), 'base64url').toString('latin1')
  if (!/^[a-z]+_[0-9a-f]{32}$/.test(id) || encodeCursor(id) !== cursor) {
    throw new ServiceError('BAD_REQUEST', 'cursor must be the nextCursor of an earlier answer')
  }
  return id
}
