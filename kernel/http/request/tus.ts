import { randomUUID } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { Server } from '@tus/server'
import type { Kernel } from '../../boot/kernel.ts'
import { fileTooLarge, isFull, ServiceError } from '../../errors.ts'
import type { Admission } from '../../files/uploads/admission.ts'
import { CHECKSUMS, type Checksum } from '../../files/uploads/resumable/checksum.ts'
import { noSuchUpload, offsetMismatch } from '../../files/uploads/resumable/refusals.ts'
import { type PartRequest, partRequest } from '../../files/uploads/resumable/store.ts'
import type { Owner } from '../../people/owner.ts'
import { requirePace } from '../connection/body-pace.ts'
import { inviteBody } from '../connection/unread-body.ts'
import type { Context } from '../context.ts'

/** Where resumable uploads are. */
export const TUS_PATH = '/api/uploads/tus'

/** The version of the protocol. */
export const TUS_VERSION = '1.0.0'

/** How long an older request may write what it has read, when a newer one continues its upload. */
const LOCK_TIMEOUT_MS = 1000

/** Headers that the service sends as tus gives them. */
const HEADERS = [
  'Upload-Offset',
  'Upload-Length',
  'Upload-Defer-Length',
  'Upload-Metadata',
  'Upload-Expires',
  'Location',
]

/** One request, while tus works on it. */
interface Work {
  owner: Owner
  ctx: Context
  /** The id of the upload. Undefined: the request creates one. */
  id: string | undefined
  /** What refused the request. */
  error?: unknown
  /** What the upload became, if this was its last part. */
  admission?: Admission
}

/** Answers a request by the protocol, except its body. Returns what the upload became, if it is complete now. */
export type Tus = (ctx: Context, owner: Owner, id?: string) => Promise<Admission | undefined>

/**
 * Creates the tus 1.0.0 handler (https://tus.io/protocols/resumable-upload).
 *
 * @throws ServiceError BAD_REQUEST, NOT_FOUND, OFFSET_MISMATCH, PRECONDITION_FAILED, FILE_TOO_LARGE, CHECKSUM_MISMATCH,
 *   REQUEST_TIMEOUT, and those of uploads.
 */
export function createTus({ config, resumable }: Pick<Kernel, 'config' | 'resumable'>): Tus {
  const { store } = resumable
  const works = new WeakMap<object, Work>()
  // biome-ignore lint/style/noNonNullAssertion: each request is entered before tus gets it.
  const workOf = (req: object) => works.get(req)!
  const largestOf = ({ owner }: Work) => config.plans[owner.plan].maxFileSize

  const server = new Server({
    path: TUS_PATH,
    datastore: store,
    locker: resumable.locks,
    lockDrainTimeout: LOCK_TIMEOUT_MS,
    maxSize: (req) => largestOf(workOf(req)) ?? Number.MAX_SAFE_INTEGER,
    namingFunction: () => randomUUID(),
    // biome-ignore lint/style/noNonNullAssertion: tus asks only for uploads, whose addresses have it.
    getFileIdFromRequest: (req) => workOf(req).id!,
    // Relative to the address of the request, because a proxy may serve it under a prefix.
    generateUrl: (req, { id }) => `${workOf(req).ctx.path.endsWith('/') ? '' : 'tus/'}${id}`,
    async onUploadFinish(req, { id }) {
      const work = workOf(req)
      work.admission = await resumable.finish(work.owner, id)
      return {}
    },
    onResponseError(req, error) {
      workOf(req).error = error
      return undefined
    },
  })

  /**
   * Whether a part comes with the length that its upload has already. tus refuses that. But clients say the length with
   * the last part, and send that part again if its answer was lost.
   */
  async function repeatsLength({ req, method }: Context, id: string | undefined): Promise<boolean> {
    const length = req.headers[LENGTH]
    if (method !== 'PATCH' || !id || length === undefined) return false
    return (await store.getUpload(id)).size === Number(length)
  }

  return async function tus(ctx, owner, id) {
    const { req, res, method } = ctx
    const work: Work = { owner, ctx, id }
    requireProtocol(ctx)
    const checksum = checksumOf(ctx)
    const body = method === 'PATCH' ? bodyOf(ctx, work) : undefined
    const ignored = (await repeatsLength(ctx, id)) ? LENGTH : undefined
    const headers = Object.entries(req.headers).filter(([name]) => !IGNORED.has(name) && name !== ignored)
    const request = new Request(new URL(TUS_PATH, 'http://tus'), {
      method,
      headers: headers as [string, string][],
      ...(body && { body: Readable.toWeb(body) as ReadableStream, duplex: 'half' }),
    })
    works.set(request, work)
    const part: PartRequest = { owner, checksum, begin: () => inviteBody(req, res) }
    const answer = await partRequest.run(part, () => server.handleWeb(request as never))
    body?.destroy()
    if (work.error || answer.status >= 400) {
      throw asServiceError(work, answer.status, (await answer.text()).trim(), largestOf(work))
    }
    for (const name of HEADERS) {
      const value = answer.headers.get(name)
      if (value !== null) res.setHeader(name, value)
    }
    // Otherwise Koa would write the name of the status.
    ctx.body = null
    ctx.status = answer.status
    return work.admission
  }
}

/** The media type of parts. */
export const PART = 'application/offset+octet-stream'

/** @throws ServiceError PRECONDITION_FAILED, UNSUPPORTED_MEDIA_TYPE. */
function requireProtocol({ req, res, method }: Context): void {
  if (req.headers['tus-resumable'] !== TUS_VERSION) {
    res.setHeader('Tus-Version', TUS_VERSION)
    throw new ServiceError('PRECONDITION_FAILED', `Tus-Resumable must be ${TUS_VERSION}`)
  }
  if (method === 'PATCH' && req.headers['content-type'] !== PART) {
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', `The Content-Type must be ${PART}`)
  }
}

/** They are about this service's own connection, or refuse what the service allows. */
const IGNORED: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'x-forwarded-proto',
])

const LENGTH = 'upload-length'

/** Reads the body for tus. The client must send it at the usual pace. */
function bodyOf(ctx: Context, work: Work): PassThrough {
  const { req } = ctx
  const body = new PassThrough()
  const fail = (error: Error) => {
    if (body.writableEnded) return
    work.error = error
    body.destroy(error)
  }
  const relax = requirePace(req, ctx.timeouts, fail)
  body.once('close', relax).on('error', () => {})
  req.once('error', fail).once('close', () => req.complete || fail(new Error('the client went away')))
  req.on('timeout', () => {
    // Otherwise the storage is slow, and does not take what the client sends.
    if (!req.isPaused()) fail(new ServiceError('REQUEST_TIMEOUT', 'The body stopped arriving; continue the upload'))
  })
  return req.pipe(body)
}

/** @throws ServiceError BAD_REQUEST. */
function checksumOf({ req }: Context): Checksum | undefined {
  const header = req.headers['upload-checksum']
  if (header === undefined) return undefined
  const [, name, digest] = /^(\S+) ([A-Za-z0-9+/]+={0,2})$/.exec(String(header)) ?? []
  const algorithm = CHECKSUMS.find((each) => each === name)
  if (algorithm && digest) return { algorithm, digest }
  throw new ServiceError('BAD_REQUEST', `Upload-Checksum must be one of ${CHECKSUMS.join(', ')}, a space and Base64`)
}

/** Converts a refusal of tus. */
function asServiceError({ error, id }: Work, status: number, text: string, max: number | null): unknown {
  if (error instanceof ServiceError || isFull(error)) return error
  const refused = (error as { status_code?: number } | undefined)?.status_code ?? (error ? 500 : status)
  // A newer request has taken the upload over, and this one did not end in time.
  if (text === 'Request aborted due to lock acquired') return offsetMismatch()
  if (refused === 413 && max !== null && !(id && text.includes("upload's size"))) return fileTooLarge(max)
  if (refused === 400 || refused === 403 || refused === 501)
    return new ServiceError('BAD_REQUEST', text.replace(/\.?$/, ''))
  return REFUSALS[refused]?.() ?? error
}

const REFUSALS: Readonly<Record<number, () => ServiceError>> = {
  409: offsetMismatch,
  404: noSuchUpload,
  410: noSuchUpload,
  413: () => new ServiceError('FILE_TOO_LARGE', 'The part is longer than the rest of the upload'),
}
