import type { Kernel } from '../../boot/kernel.ts'
import type { Downloadable } from '../../jobs/downloads.ts'
import { isUnchanged, requestedRange, type Validators } from '../answer/conditional.ts'
import { attachment } from '../answer/disposition.ts'
import { describeFile, expiredFile, FILE_HEADERS, streamFile } from '../answer/file.ts'
import type { Context } from '../context.ts'
import { endpoint, type Resource, SENT } from '../endpoint.ts'
import { downloadQuery, requirePermit } from '../request/permit.ts'
import type { Places } from '../request/places.ts'

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
        await sendFile(kernel, places, ctx, await requirePermit(kernel, ctx, item, expiredFile))
        return SENT
      },
    }),
  ],
}

async function sendFile(kernel: Kernel, places: Places, ctx: Context, item: Downloadable): Promise<void> {
  const { files } = kernel
  const validators = describeFile(ctx, item)
  if (isUnchanged(ctx.req.headers, validators)) {
    ctx.status = 304
    return
  }

  // What a page of this service shows must come from it: its content security policy says so.
  const isShownHere = ctx.get('Sec-Fetch-Site') === 'same-origin' && ctx.get('Sec-Fetch-Mode') !== 'navigate'
  if (files.linkTo && ctx.method === 'GET' && !isShownHere) {
    for (const name of ['Accept-Ranges', 'ETag', 'Last-Modified']) ctx.res.removeHeader(name)
    ctx.set('Cache-Control', 'private, no-store')
    ctx.set('Location', await files.linkTo(item.key, attachment(item.name)))
    ctx.status = 302
    return
  }

  // Only GET has ranges (RFC 9110 §14.2).
  const range = ctx.method === 'GET' ? rangeOf(ctx, item.size, validators) : undefined
  await streamFile(kernel, places, ctx, item, range)
}

function rangeOf(ctx: Context, size: number, validators: Validators) {
  try {
    return requestedRange(ctx.req.headers, size, validators)
  } catch (error) {
    ctx.set('Content-Range', `bytes */${size}`)
    throw error
  }
}
