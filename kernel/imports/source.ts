import type { IncomingHttpHeaders } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import { fileTooLarge } from '../errors.ts'
import type { Incoming } from './client.ts'
import { brokenOff, importFailed } from './failures.ts'

/** An open file on a remote server. */
export interface RemoteFile {
  name: string
  /** Must be read to its end or destroyed. Fails with ServiceError IMPORT_FAILED, or FILE_TOO_LARGE at the limit. */
  body: Readable
}

/** Limits of an import. */
export interface Allowance {
  /** Maximum bytes of the file. */
  limit: number
  /** Aborts the import. */
  signal: AbortSignal
}

/**
 * Returns the body of an answer as a file of at most `limit` bytes. Reads nothing if the answer announces more.
 *
 * @throws ServiceError FILE_TOO_LARGE, IMPORT_FAILED.
 */
export function asSource({ headers, body }: Incoming, name: string, { limit }: Allowance): RemoteFile {
  try {
    // The answer can break off before anybody listens.
    if (body.errored) throw brokenOff('The server', body.errored)
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
  body.once('error', (cause) => bounded.destroy(brokenOff('The server', cause)))
  // An unhandled error would end the process if nobody reads the file yet. Readers still get the error.
  bounded.on('error', () => {})
  // Stop receiving the file once its reader closes it.
  bounded.once('close', () => body.destroy())
  return { name, body: body.pipe(bounded) }
}

/** Refuses compressed answers: untrusted bytes are decompressed in the sandbox only. */
function requireIdentity(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding']
  if (encoding && encoding.toLowerCase() !== 'identity') {
    throw importFailed('The server sent a compressed file although the request asked for an uncompressed one')
  }
}
