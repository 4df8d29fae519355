import { isUtf8 } from 'node:buffer'
import { type ParseError, parse } from 'jsonc-parser'
import { ServiceError } from '../../errors.ts'
import { inviteBody } from '../connection/unread-body.ts'
import type { Context } from '../context.ts'

/** Most bytes of a JSON body. */
const LARGEST = 1024 * 1024

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads the JSON body. Keys like `__proto__` are ordinary keys of the result.
 *
 * @throws ServiceError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, BAD_REQUEST.
 */
export async function readJson(ctx: Context): Promise<unknown> {
  const { headers } = ctx.req
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(headers['content-type'] ?? '')) {
    throw jsonWanted()
  }
  if (headers['content-encoding'] !== undefined) {
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'The body must be sent without a Content-Encoding')
  }
  if (Number(headers['content-length'] ?? 0) > LARGEST) throw jsonTooLarge()
  inviteBody(ctx.req, ctx.res)
  const bytes = await readBytes(ctx)
  try {
    return JSON.parse(UTF8.decode(bytes))
  } catch (cause) {
    throw new ServiceError('BAD_REQUEST', `The body must be valid JSON, in UTF-8${faultIn(bytes)}`, { cause })
  }
}

export const jsonWanted = () =>
  new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'The Content-Type must be application/json, in UTF-8')

/** Says where the first fault of a JSON text is, as the rest of a sentence. Positions count characters from 0. */
function faultIn(bytes: Buffer): string {
  if (!isUtf8(bytes)) return ''
  const text = bytes.toString()
  const faults: ParseError[] = []
  try {
    parse(text, faults, { disallowComments: true })
  } catch {
    // The text is nested too deep for the parser that finds the place.
  }
  const [fault] = faults
  if (!fault) return ''
  const { offset, length } = fault
  if (offset >= text.trimEnd().length) return `: it ends too early, at position ${offset}`
  return `: unexpected ${JSON.stringify(text.slice(offset, offset + Math.min(length, 20)))} at position ${offset}`
}

export const jsonTooLarge = () => new ServiceError('PAYLOAD_TOO_LARGE', 'The body must not be larger than 1 MiB')

function readBytes({ req, patience: { bodyTimeout } }: Context): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let size = 0
  const refuse = () => {
    const late = `The body took longer than ${bodyTimeout / 1000} seconds to arrive`
    reject(new ServiceError('REQUEST_TIMEOUT', late))
  }
  const timer = setTimeout(refuse, bodyTimeout)
  const collect = (chunk: Buffer) => {
    size += chunk.length
    if (size > LARGEST) reject(jsonTooLarge())
    else chunks.push(chunk)
  }
  req.on('data', collect)
  req.once('end', () => resolve(Buffer.concat(chunks)))
  req.once('error', reject)
  // To leave an iteration over the request early would close the connection before the answer.
  return promise.finally(() => {
    clearTimeout(timer)
    req.off('data', collect).off('error', reject)
    req.on('error', () => {})
  })
}
