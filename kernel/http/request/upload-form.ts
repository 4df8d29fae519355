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
import { discard } from './admit-once.ts'

/** Maximum of what a form has in addition to its file. */
const FORM_OVERHEAD_BYTES = 64 * 1024

/** Bytes between the parser and the disk. */
const BUFFER = 256 * 1024

/** A received file. */
export interface ReceivedFile {
  name: string
  staged: Staged
}

/** What a form may have. */
export interface FormRules {
  /** The field name of files. */
  field: string
  /** Whether files may have other names, too. */
  anyField?: true
  /** Most files. */
  files: number
  /** Maximum number of other fields. */
  fields: number
  /** What is said of a form with other files. */
  expected: string
}

const ONE_FILE: FormRules = {
  field: 'file',
  files: 1,
  fields: 10,
  expected: 'The form must have exactly one part named file, and it must be a file',
}

/** Whether the body is a form with files. */
export const isForm = ({ req }: Context) => /^multipart\/form-data\s*;/i.test(req.headers['content-type'] ?? '')

/** Receives a form with one file. @throws ServiceError as `receiveFiles`. */
export async function receiveFile(...given: Parameters<typeof receiveFiles>) {
  const { received, fields } = await receiveFiles(...given)
  // biome-ignore lint/style/noNonNullAssertion: there is one, or the form was refused.
  return { ...received[0]!, fields }
}

/**
 * Streams the files of a form to the staging area of uploads.
 *
 * multer reports an error only after it has read the body to its end. Here the first error ends the work at once, and
 * the written bytes are removed before the caller gets the error.
 *
 * @param recheck Identifies the client again once the body is there.
 * @returns `fields`: the others, by their name. Who sends a name twice gets an array.
 * @throws ServiceError BAD_REQUEST, FILE_TOO_LARGE, QUOTA_EXCEEDED, REQUEST_TIMEOUT, STORAGE_FULL; and what `recheck`
 * throws.
 */
export async function receiveFiles(
  ctx: Context,
  { config, files }: Pick<Kernel, 'config' | 'files'>,
  owner: Owner,
  recheck: () => Promise<void>,
  rules: FormRules = ONE_FILE,
): Promise<{ received: ReceivedFile[]; fields: unknown }> {
  const { req, res } = ctx
  const limit = config.plans[owner.plan].maxFileSize ?? Number.POSITIVE_INFINITY
  const largest = limit * rules.files + FORM_OVERHEAD_BYTES
  const announced = Number(req.headers['content-length'] ?? 0)
  if (announced > largest) throw fileTooLarge(limit)
  const arrival = await files.expect(owner, announced - FORM_OVERHEAD_BYTES)
  inviteBody(req, res)

  const failure = Promise.withResolvers<never>()
  const abort = new AbortController()
  const parts: { name: string; stream: Readable; staged: Promise<Staged> }[] = []
  /** The error of a file's stream. */
  const broken = () => parts.find(({ stream }) => stream.errored)?.stream.errored ?? undefined

  const storage: StorageEngine = {
    _handleFile(_req, { originalname, stream }, done) {
      stream.once('limit', () => failure.reject(fileTooLarge(limit)))
      const staged = parts.length
        ? files.expect(owner, 0).then((next) => files.stage(next, stream, abort.signal))
        : files.stage(arrival, stream, abort.signal)
      parts.push({ name: originalname, stream, staged })
      staged.then(
        ({ size }) => done(null, { size }),
        (error) => {
          failure.reject(stream.errored ? reasonOf(rules, error) : error)
          done(error)
        },
      )
    },
    // The code below discards the staged file, in one place.
    _removeFile: (_req, _file, done) => done(null),
  }
  const options: Options & Record<'streamHandler' | 'highWaterMark' | 'fileHwm', unknown> = {
    storage,
    limits: {
      fields: rules.fields,
      parts: rules.fields + rules.files + 1,
      fieldNameSize: 100,
      fieldSize: 16 * 1024,
      headerPairs: 32,
      fileSize: limit,
    },
    fileFilter(_req, { fieldname }, accept) {
      if ((rules.anyField || fieldname === rules.field) && parts.length < rules.files) accept(null, true)
      else failure.reject(new ServiceError('BAD_REQUEST', rules.expected))
    },
    defParamCharset: 'utf8',
    highWaterMark: BUFFER,
    fileHwm: BUFFER,
    // An error of the file's stream has ended the parser, too.
    streamHandler: (body: IncomingMessage, parser: Writable) =>
      pour(body, parser, { max: largest, limit, rules }, (error) => {
        const cause = broken()
        failure.reject(cause ? reasonOf(rules, cause) : error)
      }),
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
      .catch((error: unknown) => Promise.reject(reasonOf(rules, broken() ?? (error as Error))))
    await Promise.race([failure.promise, parsed])
    const received = await Promise.all(parts.map(async ({ name, staged }) => ({ name, staged: await staged })))
    if (received.length === 0) throw new ServiceError('BAD_REQUEST', rules.expected)
    if (received.some(({ staged }) => !staged.size)) throw new ServiceError('BAD_REQUEST', 'file must not be empty')
    await recheck()
    return { received, fields: (ctx.request as { body?: unknown }).body }
  } catch (error) {
    abort.abort()
    for (const { staged } of parts) await staged.then(discard).catch(() => {})
    arrival.end()
    throw error
  } finally {
    relax()
  }
}

/** Pipes the body into the parser, and reports errors when they happen. */
function pour(
  body: IncomingMessage,
  parser: Writable,
  { max, limit, rules }: { max: number; limit: number; rules: FormRules },
  fail: (error: Error) => void,
): void {
  let size = 0
  body.on('data', (chunk: Buffer) => {
    if ((size += chunk.length) > max) fail(fileTooLarge(limit))
  })
  parser.on('field', (name: string) => {
    // A file without a name comes as a field.
    if (name === rules.field) fail(new ServiceError('BAD_REQUEST', rules.expected))
  })
  for (const mistake of ['error', 'partsLimit', 'fieldsLimit'])
    parser.on(mistake, (error) => fail(reasonOf(rules, error)))
  body.pipe(parser)
}

/** A failed system call also ends the form, but is not an error of the form. */
function reasonOf({ fields }: FormRules, error?: NodeJS.ErrnoException): Error {
  if (error instanceof ServiceError || error?.syscall) return error
  const message = `The form must be complete, well-formed multipart/form-data with at most ${fields} small fields`
  return new ServiceError('BAD_REQUEST', message, { cause: error })
}
