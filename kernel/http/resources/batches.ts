import type { Kernel } from '../../boot/kernel.ts'
import type { Code, ServiceError } from '../../errors.ts'
import { noSuchFile } from '../../files/uploads/files.ts'
import type { BatchItem } from '../../jobs/batches.ts'
import { type BatchState, batchRecord, conversionRecord, type LinkedConversion } from '../../jobs/records.ts'
import type { Owner } from '../../people/owner.ts'
import { errorRecord, forClients } from '../answer/failure.ts'
import { count, list, record, reference, text, time } from '../answer/response-schema.ts'
import { envelope } from '../answer/shape.ts'
import type { Context } from '../context.ts'
import { created, endpoint, ok, type Resource } from '../endpoint.ts'
import { sampleId } from '../openapi/sample-pair.ts'
import { zipUrl } from './batch-download.ts'
import { linkConversion } from './conversion-record.ts'
import {
  CONVERSION_OPTIONS,
  fileId,
  fileSize,
  jobIntent,
  options,
  START_REFUSALS,
  sampleStart,
  started,
  toFormat,
} from './conversion-start.ts'
import { sampleFile } from './files.ts'

const refusals: readonly Code[] = ['BATCH_TOO_LARGE', ...START_REFUSALS]
const batchId = text('Id.')
const item = { fileId: text('As requested.'), fileName: text('As requested.') }

/** What became of one file of a batch. Its error is one that clients may read. */
type Outcome = Exclude<BatchItem, { error: unknown }> | { fileId: string; fileName: string; error: ServiceError }

const outcomeRecord = (outcome: Outcome) => {
  if (!('error' in outcome)) return outcome
  const { error, ...file } = outcome
  return { ...file, error: errorRecord(error) }
}

const batchStartResponse = envelope(
  record({
    batchId,
    conversions: { ...list('BatchItem'), minItems: 1, description: 'In the order of `files`.' },
  }),
  ({ batchId, conversions }: { batchId: string; conversions: Outcome[] }) => ({
    batchId,
    conversions: conversions.map(outcomeRecord),
  }),
  (pair) => {
    const { key, name } = sampleFile(pair)
    const gone = { fileId: key.replace(sampleId('1'), sampleId('2')), fileName: name }
    return {
      batchId: `batch_${sampleId('5')}`,
      conversions: [
        { fileId: key, fileName: name, ...sampleStart() },
        { ...gone, error: noSuchFile() },
      ],
    }
  },
)

/** A batch with its conversions, linked to their results. */
type LinkedBatch = Parameters<typeof batchRecord>[0] & { conversions: LinkedConversion[] }

const batchResponse = envelope(record({ batch: reference('Batch') }), ({ conversions, ...batch }: LinkedBatch) => ({
  batch: { ...batchRecord(batch), conversions: conversions.map(conversionRecord) },
}))

/** Adds the URL of the ZIP to a completed batch. */
export async function linkBatch<State extends BatchState>(kernel: Kernel, ctx: Context, batch: State) {
  return batch.status === 'completed' ? { ...batch, outputUrl: await zipUrl(kernel, ctx, batch) } : batch
}

/** Removes what an interrupted request has started: its client never had the ids. */
async function withdraw({ batches, conversions }: Kernel, owner: Owner, id: string): Promise<void> {
  const batch = await batches.get(owner, id)
  for (const { id } of batch.conversions) {
    // The first time a pending one is cancelled, and the second time it goes.
    for (const _ of ['cancel', 'remove']) await conversions.remove(owner, id).catch(() => {})
  }
}

export const batches: Resource = {
  tag: 'Conversions',
  schemas: {
    BatchItem: { oneOf: [record({ ...item, ...started }), record({ ...item, error: reference('ErrorDetail') })] },
    Batch: record(
      {
        id: batchId,
        status: text('`completed` when no conversion is pending.', { enum: ['queued', 'processing', 'completed'] }),
        total: count('Accepted conversions.'),
        completed: count('Completed ones, including those deleted since.'),
        failed: count('Failed and cancelled ones, including those deleted since.'),
        progress: count('Percent; never falls.', { maximum: 100 }),
        outputUrl: text('One ZIP of all results, for some minutes, when completed.', { format: 'uri' }),
        createdAt: time('When it was requested.'),
        conversions: { ...list('Conversion'), description: 'In the order of `files`, without those deleted since.' },
      },
      ['outputUrl'],
    ),
  },
  endpoints: [
    endpoint('POST', '/api/conversions/batch', {
      id: 'startBatch',
      authentication: 'optional',
      rate: 'conversions',
      idempotent: true,
      forTeams: true,
      summary: 'Start a batch',
      description: 'A refused file does not stop the others. If all are refused, the answer is the error of the first.',
      body: {
        type: 'object',
        required: ['files', 'toFormat'],
        properties: {
          files: {
            type: 'array',
            minItems: 1,
            description: 'At most `filesPerBatch` of your plan.',
            items: {
              type: 'object',
              required: ['fileId', 'fileName', 'fileSize', 'fromFormat'],
              properties: {
                fileId,
                fileName: { type: 'string', description: 'Names the download.' },
                fileSize,
                fromFormat: { type: 'string', minLength: 1, description: 'Source format.' },
                path: {
                  type: 'string',
                  maxLength: 1000,
                  description: 'Relative path, with `/`. The ZIP keeps its folders.',
                },
                toFormat: { ...toFormat, description: 'Overrides the shared one.' },
                jobIntent: { type: 'string', enum: jobIntent.enum, description: 'Overrides the shared one.' },
                options: {
                  type: 'object',
                  description: 'Override the shared `options`.',
                  published: CONVERSION_OPTIONS,
                },
              },
            },
          },
          toFormat,
          jobIntent,
          options,
        },
      },
      example: (pair) => {
        const { key, name, size, format } = sampleFile(pair)
        const file = { fileId: key, fileName: name, fileSize: size, fromFormat: format }
        return { files: [file], toFormat: pair.to.extension }
      },
      answer: created(
        'At least one file is accepted.',
        batchStartResponse,
        ({ batchId }) => `/api/conversions/batch/${batchId}`,
      ),
      refusals,
      handle: async (kernel, { owner, body, once }) => {
        if (once.interrupted) await withdraw(kernel, owner, once.interrupted)
        const { batches, log } = kernel
        const { batchId, conversions } = await batches.start(owner, body, once.made)
        const readable = (item: BatchItem): Outcome =>
          'error' in item ? { ...item, error: forClients(item.error, log) } : item
        return { batchId, conversions: conversions.map(readable) }
      },
    }),
    endpoint('GET', '/api/conversions/batch/:id', {
      id: 'getBatch',
      authentication: 'optional',
      rate: 'none',
      summary: 'Show a batch',
      description: 'Each conversion has its own status.',
      answer: ok('The batch.', batchResponse),
      refusals: ['NOT_FOUND'],
      handle: async (kernel, { ctx, params, owner }) => {
        const { conversions, ...batch } = await kernel.batches.get(owner, params.id)
        const linked = conversions.map((each) => linkConversion(kernel, ctx, each, 'outputKey'))
        return { ...(await linkBatch(kernel, ctx, batch)), conversions: await Promise.all(linked) }
      },
    }),
  ],
}
