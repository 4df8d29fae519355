import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { Kernel } from '../../boot/kernel.ts'
import { ServiceError } from '../../errors.ts'
import type { Downloadable } from '../../jobs/downloads.ts'
import { untilGone, untilTurn } from '../connection/client-gone.ts'
import type { Context } from '../context.ts'
import type { Places } from '../request/places.ts'
import type { Validators } from './conditional.ts'
import { attachment } from './disposition.ts'

/** Headers of every answer with the bytes of a file. */
export const FILE_HEADERS = ['Accept-Ranges', 'Content-Disposition', 'ETag', 'Last-Modified'] as const

/** Sets the headers that say which file it is, and how clients may show it. Returns its validators. */
export function describeFile({ res }: Context, { key, size, modified }: Downloadable): Validators {
  // Keys are never used twice and their files never change.
  const hash = createHash('sha256').update(`${key}\0${size}`).digest('base64url').slice(0, 22)
  const validators = { etag: `"${hash}"`, modified: Math.floor(modified / 1000) * 1000 }
  res.setHeader('Accept-Ranges', 'bytes')
  restrict(res)
  res.setHeader('ETag', validators.etag)
  res.setHeader('Last-Modified', new Date(validators.modified).toUTCString())
  return validators
}

/** Keeps other people's bytes out of shared caches, and from running as a page of ours. */
export function restrict(res: ServerResponse): void {
  res.setHeader('Cache-Control', 'private, no-cache')
  res.setHeader('Content-Security-Policy', "sandbox; default-src 'none'")
}

/**
 * Answers with the bytes of a file, or with a range of them. Waits for one of the client's places for downloads.
 * @param range `end` is inclusive. @param gone Aborts when the client goes away.
 * @throws ServiceError NOT_FOUND, RATE_LIMITED; AbortError if the client goes away.
 */
export async function streamFile(
  { files }: Pick<Kernel, 'files'>,
  places: Places,
  ctx: Context,
  item: Downloadable,
  range?: { start: number; end: number },
  gone = untilGone(ctx),
): Promise<void> {
  const { res } = ctx
  ctx.status = range ? 206 : 200
  res.setHeader('Content-Type', item.mime)
  res.setHeader('Content-Disposition', attachment(item.name))
  res.setHeader('Content-Length', range ? range.end - range.start + 1 : item.size)
  if (range) res.setHeader('Content-Range', `bytes ${range.start}-${range.end}/${item.size}`)
  // For HEAD, Koa sends the headers only when there is no body to measure.
  if (ctx.method === 'HEAD') return
  await untilTurn(ctx, gone)
  await places.take(ctx, gone)
  ctx.body = await opened(files.open(item, range), gone)
}

export const expiredFile = () => new ServiceError('NOT_FOUND', 'There is no such file, or it has expired')

/** Waits for the first bytes. While none is sent, the answer for a missing file can still be 404. */
async function opened(stream: Readable, gone: AbortSignal): Promise<Readable> {
  gone.addEventListener('abort', () => stream.destroy(), { once: true })
  if (gone.aborted) stream.destroy()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  stream.once('readable', resolve).once('end', resolve).once('close', resolve).once('error', reject)
  try {
    await promise
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? expiredFile() : error
  }
  for (const sign of ['readable', 'end', 'close']) stream.off(sign, resolve)
  return stream
}
