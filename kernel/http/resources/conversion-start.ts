import type { Code } from '../../errors.ts'
import type { Started } from '../../jobs/start.ts'
import { count, flag, record, text } from '../answer/response-schema.ts'
import { envelope } from '../answer/shape.ts'
import { created, endpoint, type Resource } from '../endpoint.ts'
import { sampleId } from '../openapi/sample-pair.ts'
import type { ObjectSchema, Schema } from '../request/schema.ts'
import { sampleFile } from './files.ts'

/** The options of any category, in the OpenAPI document. */
export const CONVERSION_OPTIONS = { $ref: '#/components/schemas/ConversionOptions' }

const body = {
  type: 'object',
  required: ['fileId', 'toFormat'],
  properties: {
    fileId: { type: 'string', minLength: 1, description: 'The `fileId` that the upload returned.' },
    toFormat: { type: 'string', minLength: 1, description: 'Target format: an extension or an alias.' },
    fromFormat: { type: 'string', minLength: 1, description: 'Source format, if not the detected one.' },
    fileName: {
      type: 'string',
      description:
        'Original name. It names the download, and the format if the content cannot. Default: that of the upload.',
    },
    fileSize: {
      type: 'integer',
      minimum: 0,
      description: 'Size in bytes, to check limits early.',
    },
    jobIntent: {
      type: 'string',
      enum: ['convert', 'transform'],
      default: 'convert',
      description: '`transform` optimises a file without changing its format.',
    },
    options: {
      type: 'object',
      published: CONVERSION_OPTIONS,
    },
  },
} as const satisfies ObjectSchema

/** Fields that a batch shares with a single conversion. */
export const { fileId, fileSize, toFormat, jobIntent, options } = body.properties satisfies Record<string, Schema>

/** Refusals of a conversion that is to start. */
export const START_REFUSALS: readonly Code[] = [
  'FORBIDDEN',
  'SAME_FORMAT_NOOP',
  'UNSUPPORTED_FORMAT',
  'UNKNOWN_OPTION',
  'OPTION_NOT_APPLICABLE',
  'INVALID_OPTIONS',
  'NOT_FOUND',
  'FILE_TOO_LARGE',
  'STORAGE_FULL',
  'QUOTA_EXCEEDED',
  'QUEUE_FULL_USER',
  'QUEUE_FULL_GLOBAL',
]

/** What a client learns of a conversion that was accepted. */
export const started = {
  conversionId: text('Id.'),
  queued: flag('Whether it waits in the queue.'),
  queueDepth: count('Conversions that wait in the queue.'),
}

export const sampleStart = (): Started => ({ conversionId: `conv_${sampleId('6')}`, queued: true, queueDepth: 3 })

const startResponse = envelope(record(started), (result: Started) => result, sampleStart)

export const conversionStart: Resource = {
  tag: 'Conversions',
  endpoints: [
    endpoint('POST', '/api/conversions', {
      id: 'startConversion',
      authentication: 'optional',
      rate: 'conversions',
      idempotent: true,
      forTeams: true,
      summary: 'Start a conversion',
      description: 'Poll the conversion until its status is `completed` or `failed`.',
      body,
      example: (pair) => {
        const { key, name } = sampleFile(pair)
        return { fileId: key, toFormat: pair.to.extension, fileName: name }
      },
      answer: created('Accepted.', startResponse, ({ conversionId }) => `/api/conversions/${conversionId}`),
      refusals: START_REFUSALS,
      handle: async ({ conversions, scheduler }, { owner, body, once }) => {
        if (!once.interrupted) return conversions.start(owner, body, once.made)
        const { id, status } = await conversions.get(owner, once.interrupted)
        return { conversionId: id, queued: status === 'queued', queueDepth: scheduler.depth() }
      },
    }),
  ],
}
