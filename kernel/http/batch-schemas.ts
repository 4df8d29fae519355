import { count, flag, list, type ResponseSchema, record, reference, text, time } from './response-schema.ts'
import { CONVERSION_OPTIONS, startConversionBody } from './schemas.ts'
import type { ObjectSchema } from './validation.ts'

const { fileId, toFormat, jobIntent, options } = startConversionBody.properties

/** What the request of a batch must look like. */
export const startBatchBody: ObjectSchema = {
  type: 'object',
  required: ['files', 'toFormat'],
  properties: {
    files: {
      type: 'array',
      minItems: 1,
      description: "At most as many as the plan's batch size.",
      items: {
        type: 'object',
        required: ['fileId', 'fileName', 'fileSize', 'fromFormat'],
        properties: {
          fileId: fileId!,
          fileName: { type: 'string', description: 'Names the download.' },
          fileSize: { type: 'integer', minimum: 0, description: 'Bytes, to learn of size and quota refusals early.' },
          fromFormat: { type: 'string', minLength: 1, description: 'Source format.' },
          options: { type: 'object', description: 'Laid over the shared options.', published: CONVERSION_OPTIONS },
        },
      },
    },
    toFormat: toFormat!,
    jobIntent: jobIntent!,
    options: options!,
  },
}

const item = { fileId: text('As requested.'), fileName: text('As requested.') }
const batchId = text('Names the batch.')

/** What the responses about batches look like, by the name that the OpenAPI document gives them. */
export const batchResponses: Record<string, ResponseSchema> = {
  BatchStartResponse: record({
    batchId,
    conversions: { ...list('BatchItem'), minItems: 1, description: 'In the order of `files`.' },
  }),
  BatchItem: {
    oneOf: [
      record({
        ...item,
        conversionId: text('Names the conversion.'),
        queued: flag('Whether it waits.'),
        queueDepth: count('Conversions that wait.'),
      }),
      record({ ...item, error: { $ref: '#/components/schemas/ErrorDetail' } }),
    ],
  },
  Batch: record({
    id: batchId,
    status: text('`completed` when none of its conversions is pending.', {
      enum: ['queued', 'processing', 'completed'],
    }),
    total: count('Conversions that were accepted.'),
    completed: count('How many of them completed, whether deleted since or not.'),
    failed: count('How many of them failed or were cancelled, whether deleted since or not.'),
    progress: count('Percent of the whole; never falls.', { maximum: 100 }),
    createdAt: time('When it was requested.'),
    conversions: { ...list('Conversion'), description: 'In the order of `files`, without those deleted since.' },
  }),
  BatchResponse: record({ batch: reference('Batch') }),
}
