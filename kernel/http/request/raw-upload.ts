import { Transform } from 'node:stream'
import type { Plan } from '../../../config/config.ts'
import { fileTooLarge, ServiceError } from '../../errors.ts'
import type { Staged } from '../../files/uploads/admission.ts'
import type { Files } from '../../files/uploads/files.ts'
import type { Owner } from '../../people/owner.ts'
import { requirePace } from '../connection/body-pace.ts'
import { inviteBody } from '../connection/unread-body.ts'
import type { Context } from '../context.ts'

/**
 * Streams a body that is a file to the staging area of uploads. After an error, nothing stays behind.
 *
 * @throws ServiceError BAD_REQUEST, FILE_TOO_LARGE, QUOTA_EXCEEDED, REQUEST_TIMEOUT, STORAGE_FULL.
 */
export async function receiveBytes(
  ctx: Context,
  files: Files,
  owner: Owner,
  { maxFileSize }: Pick<Plan, 'maxFileSize'>,
): Promise<Staged> {
  const { req, res } = ctx
  const limit = maxFileSize ?? Number.POSITIVE_INFINITY
  const announced = Number(req.headers['content-length'] ?? 0)
  if (announced > limit) throw fileTooLarge(limit)
  const arrival = await files.expect(owner, announced)
  inviteBody(req, res)

  let size = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      done(size > limit ? fileTooLarge(limit) : null, chunk)
    },
    flush: (done) => done(size ? null : new ServiceError('BAD_REQUEST', 'The file must not be empty')),
  })
  // It can fail before and after it is read. Its reader gets the error.
  counted.on('error', () => {})
  const relax = requirePace(req, ctx.timeouts, (error) => counted.destroy(error))
  // A body that breaks off does not end.
  req.once('close', () => {
    if (!req.complete) counted.destroy(new ServiceError('BAD_REQUEST', 'The body broke off; send the file again'))
  })
  req.once('timeout', () =>
    counted.destroy(new ServiceError('REQUEST_TIMEOUT', 'The body stopped arriving; send the file again')),
  )
  try {
    return await files.stage(arrival, req.pipe(counted), new AbortController().signal)
  } finally {
    relax()
  }
}
