import type { IncomingHttpHeaders } from 'node:http'
import parseRange from 'range-parser'
import { ServiceError } from '../../errors.ts'

/** Names one state of a file. */
export interface Validators {
  /** Strong, with its quotes. */
  etag: string
  /** Epoch milliseconds, cut to the second. */
  modified: number
}

/**
 * Evaluates the preconditions in the order of RFC 9110 §13.2.2.
 *
 * @returns whether the client has this state already (304).
 * @throws ServiceError PRECONDITION_FAILED.
 */
export function isUnchanged(headers: IncomingHttpHeaders, { etag, modified }: Validators): boolean {
  const match = headers['if-match']
  const since = dateOf(headers['if-unmodified-since'])
  if (match !== undefined ? !lists(match, etag, 'strong') : since !== undefined && modified > since) {
    throw new ServiceError(
      'PRECONDITION_FAILED',
      'The file does not match If-Match or If-Unmodified-Since; send its current ETag, or neither header',
    )
  }
  const none = headers['if-none-match']
  if (none !== undefined) return lists(none, etag, 'weak')
  const known = dateOf(headers['if-modified-since'])
  return known !== undefined && modified <= known
}

/**
 * Returns the part of a file that a GET asks for (RFC 9110 §14), end included. Undefined means the whole file: also for
 * several ranges, an unknown unit, or an If-Range that does not match.
 *
 * @throws ServiceError RANGE_NOT_SATISFIABLE.
 */
export function requestedRange(
  headers: IncomingHttpHeaders,
  size: number,
  { etag, modified }: Validators,
): { start: number; end: number } | undefined {
  const { range } = headers
  if (!range || !/^bytes=[^,]+$/i.test(range)) return undefined
  const condition = headers['if-range'] as string | undefined
  if (condition !== undefined && condition !== etag && dateOf(condition) !== modified) return undefined
  // A suffix longer than the file means the whole file, but range-parser calls it unsatisfiable.
  const suffix = /^bytes=\s*-(\d+)\s*$/i.exec(range)?.[1]
  if (suffix !== undefined && size > 0 && Number(suffix) > size) return { start: 0, end: size - 1 }
  const parsed = parseRange(size, range)
  if (parsed === -2) return undefined
  if (parsed === -1)
    throw new ServiceError('RANGE_NOT_SATISFIABLE', `The range must lie within the ${size} bytes of the file`)
  return parsed[0]
}

/** Whether a header with ETags lists this one. */
export function lists(header: string, etag: string, comparison: 'strong' | 'weak'): boolean {
  if (header.trim() === '*') return true
  const tags = header.split(',').map((tag) => tag.trim())
  return tags.includes(etag) || (comparison === 'weak' && tags.includes(`W/${etag}`))
}

/** Milliseconds of an HTTP date. Undefined for a missing or invalid one. */
function dateOf(header: string | undefined): number | undefined {
  const time = header && / GMT$/.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}
