import type { IncomingHttpHeaders } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import { fileTooLarge } from '../errors.ts'
import type { Incoming } from './client.ts'
import { importFailed } from './failures.ts'

/** A file at the far side, opened. */
export interface RemoteFile {
  name: string
  /** Must be read to its end or destroyed. Fails with ServiceError IMPORT_FAILED, or FILE_TOO_LARGE at the limit. */
  body: Readable
}

/** What an import may cost. */
export interface Allowance {
  /** Bytes of the file. */
  limit: number
  /** Ends the import. */
  signal: AbortSignal
}

/**
 * Takes the body of an answer as a file of at most `limit` bytes; one that announces more is not read at all.
 *
 * @throws ServiceError FILE_TOO_LARGE, IMPORT_FAILED.
 */
export function asSource({ headers, body }: Incoming, name: string, { limit }: Allowance): RemoteFile {
  try {
    requireIdentity(headers)
    if (Number(headers['content-length'] ?? 0) > limit) throw fileTooLarge(limit)
  } catch (error) {
    body.destroy()
    throw error
  }
  let size = 0
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      done(size > limit ? fileTooLarge(limit) : null, chunk)
    },
    flush: (done) => done(size ? null : importFailed('The server sent an empty file')),
  })
  body.once('error', (cause) => bounded.destroy(importFailed('The server stopped before the end of the file', cause)))
  // It may fail before anybody reads; whoever then reads hears of it.
  bounded.on('error', () => {})
  // A file that is not wanted any more is not received either.
  bounded.once('close', () => body.destroy())
  return { name, body: body.pipe(bounded) }
}

/** Nothing is unpacked here: what unpacks bytes of strangers runs in the sandbox. */
function requireIdentity(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding']
  if (encoding && encoding.toLowerCase() !== 'identity') {
    throw importFailed('The server compressed the file although it was asked not to')
  }
}
