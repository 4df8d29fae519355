import { ServiceError } from '../../errors.ts'
import { inviteBody } from '../connection/unread-body.ts'
import type { Context } from '../context.ts'

/** Of one JSON body. */
const MAX_BYTES = 1024 * 1024

/** In memory, of all JSON bodies that arrive at the same time. */
const MAX_BYTES_TOGETHER = 32 * MAX_BYTES

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads the JSON body. Keys like `__proto__` are ordinary keys of the result.
 *
 * @throws ServiceError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, BAD_REQUEST; NOT_READY if too many
 *   large bodies arrive.
 */
export async function readJson(ctx: Context): Promise<unknown> {
  const { headers } = ctx.req
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(headers['content-type'] ?? '')) {
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'The Content-Type must be application/json, in UTF-8')
  }
  if (headers['content-encoding'] !== undefined) {
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'The body must be sent without a Content-Encoding')
  }
  if (Number(headers['content-length'] ?? 0) > MAX_BYTES) throw jsonTooLarge()
  inviteBody(ctx.req, ctx.res)
  const bytes = await readBytes(ctx)
  try {
    return JSON.parse(UTF8.decode(bytes))
  } catch (cause) {
    // It says where the fault is, or quotes what is around it.
    const fault = cause instanceof SyntaxError ? `: ${cause.message}` : ''
    throw new ServiceError('BAD_REQUEST', `The body must be valid JSON, in UTF-8${fault}`, { cause })
  }
}

const jsonTooLarge = () => new ServiceError('PAYLOAD_TOO_LARGE', 'The body must not be larger than 1 MiB')

/** A body that arrives. */
interface Arriving {
  /** What has arrived, and room for more. */
  buffer: Buffer
  refuse: (error: ServiceError) => void
}

const arriving = new Set<Arriving>()

/** Bytes of the buffers of all bodies that arrive. */
let held = 0

/**
 * Reads the body into one buffer, since a buffer for each of many small chunks needs much more memory than its bytes.
 */
function readBytes({ req, timeouts: { bodyTimeout } }: Context): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const body: Arriving = { buffer: Buffer.alloc(0), refuse: reject }
  let size = 0
  const refuse = () => {
    const late = `The body took longer than ${bodyTimeout / 1000} seconds to arrive`
    reject(new ServiceError('REQUEST_TIMEOUT', late))
  }
  const timer = setTimeout(refuse, bodyTimeout)
  const collect = (chunk: Buffer) => {
    const end = size + chunk.length
    if (end > MAX_BYTES) return reject(jsonTooLarge())
    if (end > body.buffer.length) enlarge(body, end)
    chunk.copy(body.buffer, size)
    size = end
  }
  arriving.add(body)
  req.on('data', collect)
  req.once('end', () => resolve(body.buffer.subarray(0, size)))
  req.once('error', reject)
  // To leave an iteration over the request early would close the connection before the answer.
  return promise.finally(() => {
    arriving.delete(body)
    held -= body.buffer.length
    clearTimeout(timer)
    req.off('data', collect).off('error', reject)
    req.on('error', () => {})
  })
}

/**
 * Makes room for this many bytes. Refuses the largest body if all together need too much, so short ones always arrive.
 */
function enlarge(body: Arriving, bytes: number): void {
  // Twice as large each time, so that few bytes are copied.
  const buffer = Buffer.allocUnsafe(Math.min(MAX_BYTES, Math.max(2 * body.buffer.length, bytes)))
  body.buffer.copy(buffer)
  held += buffer.length - body.buffer.length
  body.buffer = buffer
  if (held <= MAX_BYTES_TOGETHER) return
  const largest = [...arriving].reduce((one, other) => (other.buffer.length > one.buffer.length ? other : one))
  const message = 'Too many large bodies arrive at the moment; try again soon'
  largest.refuse(new ServiceError('NOT_READY', message, { retryAfter: 1 }))
}
