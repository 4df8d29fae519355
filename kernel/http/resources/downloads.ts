import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Kernel } from '../../boot/kernel.ts'
import { ServiceError } from '../../errors.ts'
import type { Downloadable } from '../../jobs/downloads.ts'
import { isUnchanged, requestedRange } from '../answer/conditional.ts'
import { attachment } from '../answer/disposition.ts'
import { untilGone, untilTurn } from '../connection/client-gone.ts'
import type { Context } from '../context.ts'
import { endpoint, type Resource, SENT } from '../endpoint.ts'
import { downloadQuery, requirePermit } from '../request/permit.ts'
import type { Places } from '../request/places.ts'

const FILE_HEADERS = ['Accept-Ranges', 'Content-Disposition', 'ETag', 'Last-Modified'] as const

export const downloads: Resource = {
  tag: 'Files',
  endpoints: [
    endpoint('GET', '/api/files/:id/download', {
      id: 'downloadFile',
      authentication: 'optional',
      rate: 'downloads',
      summary: 'Download a result or an upload',
      description:
        '`id` is that of a conversion, an `outputFileId` or a `fileId`. Use `outputUrl`, or send a credential of the owner. Range and conditional requests work.',
      query: downloadQuery,
      readsQuery: true,
      answer: { status: 200, description: 'The file.', media: '*/*', headers: FILE_HEADERS },
      otherAnswers: [
        {
          status: 206,
          description: 'The range.',
          media: '*/*',
          headers: [...FILE_HEADERS, 'Content-Range'],
        },
        { status: 302, description: 'It is at `Location` for 60 s.' },
        { status: 304, description: 'Not modified.', headers: ['ETag'] },
      ],
      refusals: ['NOT_FOUND', 'PRECONDITION_FAILED', 'RANGE_NOT_SATISFIABLE'],
      handle: async (kernel, { ctx, params }, { places }) => {
        const item = await kernel.conversions.downloadable(params.id)
        await sendFile(kernel, places, ctx, await requirePermit(kernel, ctx, item, notFound))
        return SENT
      },
    }),
  ],
}

async function sendFile({ files }: Kernel, places: Places, ctx: Context, item: Downloadable): Promise<void> {
  const { res } = ctx
  const validators = { etag: etagOf(item), modified: Math.floor(item.modified / 1000) * 1000 }
  res.setHeader('Accept-Ranges', 'bytes')
  res.setHeader('Cache-Control', 'private, no-cache')
  res.setHeader('Content-Security-Policy', "sandbox; default-src 'none'")
  res.setHeader('ETag', validators.etag)
  res.setHeader('Last-Modified', new Date(validators.modified).toUTCString())
  if (isUnchanged(ctx.req.headers, validators)) {
    ctx.status = 304
    return
  }

  // What a page of this service shows must come from it: its content security policy says so.
  const isShownHere = ctx.get('Sec-Fetch-Site') === 'same-origin' && ctx.get('Sec-Fetch-Mode') !== 'navigate'
  if (files.linkTo && ctx.method === 'GET' && !isShownHere) {
    for (const name of ['Accept-Ranges', 'ETag', 'Last-Modified']) res.removeHeader(name)
    res.setHeader('Cache-Control', 'private, no-store')
    res.setHeader('Location', await files.linkTo(item.key, attachment(item.name)))
    ctx.status = 302
    return
  }

  // Only GET has ranges (RFC 9110 §14.2).
  const range = ctx.method === 'GET' ? rangeOf(ctx, item.size, validators) : undefined
  ctx.status = range ? 206 : 200
  res.setHeader('Content-Type', item.mime)
  res.setHeader('Content-Disposition', attachment(item.name))
  res.setHeader('Content-Length', range ? range.end - range.start + 1 : item.size)
  if (range) res.setHeader('Content-Range', `bytes ${range.start}-${range.end}/${item.size}`)
  // For HEAD, Koa sends the headers only when there is no body to measure.
  if (ctx.method === 'HEAD') return
  const gone = untilGone(ctx)
  await untilTurn(ctx, gone)
  await places.take(ctx, gone)
  ctx.body = await opened(files.open(item, range), gone)
}

const notFound = () => new ServiceError('NOT_FOUND', 'There is no such file, or it has expired')

/** Keys are never used twice and their files never change. */
const etagOf = ({ key, size }: Downloadable) =>
  `"${createHash('sha256').update(`${key}\0${size}`).digest('base64url').slice(0, 22)}"`

function rangeOf(ctx: Context, size: number, validators: Parameters<typeof requestedRange>[2]) {
  try {
    return requestedRange(ctx.req.headers, size, validators)
  } catch (error) {
    ctx.set('Content-Range', `bytes */${size}`)
    throw error
  }
}

/** Waits for the first bytes. While none is sent, the answer for a missing file can still be 404. */
async function opened(stream: Readable, gone: AbortSignal): Promise<Readable> {
  gone.addEventListener('abort', () => stream.destroy(), { once: true })
  if (gone.aborted) stream.destroy()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  stream.once('readable', resolve).once('end', resolve).once('close', resolve).once('error', reject)
  try {
    await promise
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? notFound() : error
  }
  for (const sign of ['readable', 'end', 'close']) stream.off(sign, resolve)
  return stream
}
