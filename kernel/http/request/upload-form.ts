import type { IncomingMessage } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import multer from '@koa/multer'
import type { Options, StorageEngine } from 'multer'
import type { Kernel } from '../../boot/kernel.ts'
import { fileTooLarge, ServiceError } from '../../errors.ts'
import type { Staged } from '../../files/uploads/admission.ts'
import type { Owner } from '../../people/owner.ts'
import { requirePace } from '../connection/body-pace.ts'
import { inviteBody } from '../connection/unread-body.ts'
import type { Context } from '../context.ts'

/** Maximum of what a form has in addition to its file. */
const FORM_OVERHEAD_BYTES = 64 * 1024

/** Bytes between the parser and the disk. */
const BUFFER = 256 * 1024

const LIMITS = { fields: 10, parts: 12, fieldNameSize: 100, fieldSize: 16 * 1024, headerPairs: 32 }

const ONE_FILE = 'The form must have exactly one part named file, and it must be a file'

/** Whether the body is a form with files. */
export const isForm = ({ req }: Context) => /^multipart\/form-data\s*;/i.test(req.headers['content-type'] ?? '')

/**
 * Streams the one file of a form to the staging area of uploads.
 *
 * multer reports an error only after it has read the body to its end. Here the first error ends the work at once, and
 * the written bytes are removed before the caller gets the error.
 *
 * @param recheck Identifies the client again once the body is there.
 * @returns `fields`: the others, by their name. Who sends a name twice gets an array.
 * @throws ServiceError BAD_REQUEST, FILE_TOO_LARGE, QUOTA_EXCEEDED, REQUEST_TIMEOUT, STORAGE_FULL; and what `recheck`
 * throws.
 */
export async function receiveFile(
  ctx: Context,
  { config, files }: Pick<Kernel, 'config' | 'files'>,
  owner: Owner,
  recheck: () => Promise<void>,
): Promise<{ name: string; staged: Staged; fields: unknown }> {
  const { req, res } = ctx
  const limit = config.plans[owner.plan].maxFileSize ?? Number.POSITIVE_INFINITY
  const announced = Number(req.headers['content-length'] ?? 0)
  if (announced > limit + FORM_OVERHEAD_BYTES) throw fileTooLarge(limit)
  const arrival = await files.expect(owner, announced - FORM_OVERHEAD_BYTES)
  inviteBody(req, res)

  const failure = Promise.withResolvers<never>()
  const abort = new AbortController()
  let part: { name: string; stream: Readable; staged: Promise<Staged> } | undefined

  const storage: StorageEngine = {
    _handleFile(_req, { originalname, stream }, done) {
      stream.once('limit', () => failure.reject(fileTooLarge(limit)))
      const staged = files.stage(arrival, stream, abort.signal)
      part = { name: originalname, stream, staged }
      staged.then(
        ({ size }) => done(null, { size }),
        (error) => {
          failure.reject(stream.errored ? reasonOf(error) : error)
          done(error)
        },
      )
    },
    // The code below discards the staged file, in one place.
    _removeFile: (_req, _file, done) => done(null),
  }
  const options: Options & Record<'streamHandler' | 'highWaterMark' | 'fileHwm', unknown> = {
    storage,
    limits: { ...LIMITS, fileSize: limit },
    fileFilter(_req, { fieldname }, accept) {
      if (fieldname !== 'file' || part) failure.reject(new ServiceError('BAD_REQUEST', ONE_FILE))
      else accept(null, true)
    },
    defParamCharset: 'utf8',
    highWaterMark: BUFFER,
    fileHwm: BUFFER,
    // An error of the file's stream has ended the parser, too.
    streamHandler: (body: IncomingMessage, parser: Writable) =>
      pour(body, parser, limit + FORM_OVERHEAD_BYTES, (error) =>
        failure.reject(part?.stream.errored ? reasonOf(part.stream.errored) : error),
      ),
  }
  // The types of @koa/multer are those of an older multer.
  const form = multer(options as object)

  const relax = requirePace(req, ctx.timeouts, failure.reject)
  req.once('timeout', () =>
    failure.reject(new ServiceError('REQUEST_TIMEOUT', 'The body stopped arriving; send the file again')),
  )
  try {
    // An error that only the end of the form reports is one of the form.
    const parsed = form
      .any()(ctx as never, async () => {})
      .catch((error: unknown) => Promise.reject(reasonOf(part?.stream.errored ?? (error as Error))))
    await Promise.race([failure.promise, parsed])
    const staged = await part?.staged
    if (!part || !staged?.size) throw new ServiceError('BAD_REQUEST', part ? 'file must not be empty' : ONE_FILE)
    await recheck()
    return { name: part.name, staged, fields: (ctx.request as { body?: unknown }).body }
  } catch (error) {
    abort.abort()
    await part?.staged.then((staged) => staged.discard()).catch(() => {})
    arrival.end()
    throw error
  } finally {
    relax()
  }
}

/** Pipes the body into the parser, and reports errors when they happen. */
function pour(body: IncomingMessage, parser: Writable, limit: number, fail: (error: Error) => void): void {
  let size = 0
  body.on('data', (chunk: Buffer) => {
    if ((size += chunk.length) > limit) fail(fileTooLarge(limit - FORM_OVERHEAD_BYTES))
  })
  parser.on('field', (name: string) => {
    if (name === 'file') fail(new ServiceError('BAD_REQUEST', ONE_FILE))
  })
  for (const mistake of ['error', 'partsLimit', 'fieldsLimit']) parser.on(mistake, (error) => fail(reasonOf(error)))
  body.pipe(parser)
}

/** A failed system call also ends the form, but is not an error of the form. */
const reasonOf = (error?: NodeJS.ErrnoException) =>
  error instanceof ServiceError || error?.syscall ? error : malformed(error)

const malformed = (cause: unknown) =>
  new ServiceError(
    'BAD_REQUEST',
    'The form must be complete, well-formed multipart/form-data with at most 10 small fields',
    {
      cause,
    },
  )
