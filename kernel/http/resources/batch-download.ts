import type { Kernel } from '../../boot/kernel.ts'
import { ServiceError } from '../../errors.ts'
import { type BatchResults, FAILED_LIST } from '../../jobs/batch-results.ts'
import { attachment } from '../answer/disposition.ts'
import { restrict } from '../answer/file.ts'
import { record, text, texts } from '../answer/response-schema.ts'
import { envelope } from '../answer/shape.ts'
import { streamZip } from '../answer/zip.ts'
import { untilGone, untilTurn } from '../connection/client-gone.ts'
import { baseUrl, type Context } from '../context.ts'
import { created, endpoint, type Resource, SENT } from '../endpoint.ts'
import { sampleId } from '../openapi/sample-pair.ts'
import { downloadQuery, requirePermit } from '../request/permit.ts'

/** In one ZIP. */
const MAX_RESULTS = 10_000

/** Returns the URL of a batch's ZIP, with a token. */
export async function zipUrl(
  { config, tokens }: Kernel,
  ctx: Context,
  { id, owner }: { id: string; owner: string },
): Promise<string> {
  return `${baseUrl(config, ctx)}/api/conversions/batch/${id}/download?token=${await tokens.sign(owner, id)}`
}

const zipResponse = envelope(
  record({
    outputUrl: text('Works for some minutes.', { format: 'uri' }),
    missing: texts('Ids that are not in it: gone, or not ended.'),
  }),
  (result: { outputUrl: string; missing: string[] }) => result,
)

export const batchDownload: Resource = {
  tag: 'Files',
  endpoints: [
    endpoint('POST', '/api/conversions/zip', {
      id: 'zipConversions',
      authentication: 'optional',
      rate: 'requests',
      summary: 'Make one ZIP of results',
      description: 'Takes ended conversions, also of several batches. The ZIP is like that of a batch.',
      body: {
        type: 'object',
        required: ['conversionIds'],
        properties: {
          conversionIds: { type: 'array', minItems: 1, maxItems: MAX_RESULTS, items: { type: 'string' } },
        },
      },
      example: () => ({ conversionIds: [`conv_${sampleId('6')}`] }),
      answer: created('It can be downloaded.', zipResponse),
      refusals: ['NOT_FOUND'],
      handle: async (kernel, { ctx, owner, body: { conversionIds } }) => {
        const { missing, ...batch } = await kernel.batches.choose(owner, conversionIds)
        return { outputUrl: await zipUrl(kernel, ctx, batch), missing }
      },
    }),
    endpoint('GET', '/api/conversions/batch/:id/download', {
      id: 'downloadBatch',
      authentication: 'optional',
      rate: 'downloads',
      summary: 'Download an ended batch as one ZIP',
      description: 'Use `outputUrl`, or send a credential of the owner. Its `failed.txt` lists failed files.',
      query: downloadQuery,
      readsQuery: true,
      answer: { status: 200, description: 'The ZIP.', media: 'application/zip', headers: ['Content-Disposition'] },
      refusals: ['NOT_FOUND'],
      handle: async (kernel, { ctx, params: { id } }, { places }) => {
        const found = await kernel.batches.results(id)
        const { results, failures, createdAt } = await requirePermit(
          kernel,
          ctx,
          found && { ...found, key: id },
          notFound,
        )
        if (!results.length && !failures.length) throw notFound()
        const { res } = ctx
        res.setHeader('Accept-Ranges', 'none')
        restrict(res)
        res.setHeader('Content-Type', 'application/zip')
        res.setHeader('Content-Disposition', attachment(zipName(createdAt)))
        ctx.status = 200
        if (ctx.method === 'HEAD') return SENT
        const gone = untilGone(ctx)
        await untilTurn(ctx, gone)
        await places.take(ctx, gone)
        ctx.body = streamZip(results, kernel.files.open, failedList(failures), gone)
        return SENT
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
