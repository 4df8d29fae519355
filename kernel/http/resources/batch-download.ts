import { type BatchResults, FAILED_LIST } from '../../conversions/batch-results.ts'
import { ServiceError } from '../../errors.ts'
import { attachment } from '../answer/disposition.ts'
import { streamZip } from '../answer/zip.ts'
import { untilTurn } from '../connection/pipeline.ts'
import { untilGone } from '../connection/until-gone.ts'
import { endpoint, type Resource } from '../endpoint.ts'
import { downloadQuery, requirePermit } from '../request/permit.ts'

export const batchDownload: Resource = {
  tag: 'Files',
  endpoints: [
    endpoint({
      ...{ method: 'GET', path: '/api/conversions/batch/:id/download', id: 'downloadBatch' },
      ...{ authentication: 'optional', rate: 'downloads' },
      summary: 'Download the results of an ended batch as one ZIP',
      description: 'Use `outputUrl`, or send a credential of the owner. Its `failed.txt` lists failed files.',
      query: downloadQuery,
      readsQuery: true,
      answer: { status: 200, description: 'The ZIP.', media: 'application/zip', headers: ['Content-Disposition'] },
      refusals: ['NOT_FOUND'],
      handle:
        (kernel, { places }) =>
        async ({ ctx }) => {
          const id = ctx.params.id!
          const found = await kernel.batches.results(id)
          const { results, failures } = await requirePermit(kernel, ctx, found && { ...found, key: id }, notFound)
          if (!results.length && !failures.length) throw notFound()
          const { res } = ctx
          res.setHeader('Accept-Ranges', 'none')
          res.setHeader('Cache-Control', 'private, no-cache')
          res.setHeader('Content-Security-Policy', "sandbox; default-src 'none'")
          res.setHeader('Content-Type', 'application/zip')
          res.setHeader('Content-Disposition', attachment(zipName(found!.createdAt)))
          ctx.status = 200
          if (ctx.method === 'HEAD') return
          const gone = untilGone(ctx)
          await untilTurn(ctx, gone)
          await places.take(ctx, gone)
          ctx.body = streamZip(results, kernel.files.open, failedList(failures), gone)
        },
    }),
  ],
}

const notFound = () =>
  new ServiceError('NOT_FOUND', 'There is no such batch, it has expired, or its conversions have not all ended')

/** `converted-2026-11-22.zip` */
const zipName = (createdAt: number) => `converted-${new Date(createdAt).toISOString().slice(0, 10)}.zip`

const failedList = (failures: BatchResults['failures']) =>
  failures.length
    ? {
        path: FAILED_LIST,
        text: failures.map(({ path, message, code }) => `${path}: ${message} (${code})\r\n`).join(''),
      }
    : undefined
