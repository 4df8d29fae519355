import type { Started } from '../../conversions/start.ts'
import type { Code } from '../../errors.ts'
import { count, flag, record, text } from '../answer/response-schema.ts'
import { shape } from '../answer/shape.ts'
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
    toFormat: { type: 'string', minLength: 1, description: 'Target format: an extension or an alias of one.' },
    fromFormat: { type: 'string', minLength: 1, description: 'Overrides the detected source format.' },
    fileName: {
      type: 'string',
      description:
        "The file's own name: names the download, and identifies the format where the content cannot, as in texts. " +
        "Default: the upload's name.",
    },
    fileSize: { type: 'integer', minimum: 0, description: 'Bytes, to learn of size and quota refusals early.' },
    jobIntent: {
      type: 'string',
      enum: ['convert', 'transform'],
      default: 'convert',
      description: '`transform` optimises a file without changing its format.',
    },
    options: {
      type: 'object',
      description: "Options of the target's category, as the tool's `options` schema has them.",
      published: CONVERSION_OPTIONS,
    },
  },
} as const satisfies ObjectSchema

/** Fields that a batch shares with a single conversion. */
export const { fileId, fileSize, toFormat, jobIntent, options } = body.properties satisfies Record<string, Schema>

/** Refusals of a conversion that is to start. */
export const START_REFUSALS: readonly Code[] = [
  'FORBIDDEN',
  ...([
    'SAME_FORMAT_NOOP',
    'UNSUPPORTED_FORMAT',
    'UNKNOWN_OPTION',
    'OPTION_NOT_APPLICABLE',
    'INVALID_OPTIONS',
  ] as const),
  ...(['NOT_FOUND', 'FILE_TOO_LARGE', 'STORAGE_FULL'] as const),
  ...(['QUOTA_EXCEEDED', 'QUEUE_FULL_USER', 'QUEUE_FULL_GLOBAL'] as const),
]

/** What a client learns of a conversion that was accepted. */
export const started = {
  conversionId: text('Names the conversion.'),
  queued: flag('Whether it waits.'),
  queueDepth: count('Conversions that wait.'),
}

export const sampleStart = (): Started => ({ conversionId: `conv_${sampleId('6')}`, queued: true, queueDepth: 3 })

const startResponse = shape('StartResponse', record(started), (result: Started) => result, sampleStart)

export const conversionStart: Resource = {
  tag: 'Conversions',
  endpoints: [
    endpoint({
      ...{ method: 'POST', path: '/api/conversions', id: 'startConversion' },
      ...{ authentication: 'optional', rate: 'conversions', forTeams: true },
      summary: 'Start a conversion',
      description:
        'The answer comes at once; the conversion runs in the background. Poll it until its status is `completed` or `failed`.',
      body,
      example: (pair) => {
        const { key, name } = sampleFile(pair)
        return { fileId: key, toFormat: pair.to.extension, fileName: name }
      },
      answer: created('It is accepted.', startResponse, ({ conversionId }) => `/api/conversions/${conversionId}`),
      refusals: START_REFUSALS,
      handle:
        ({ conversions }) =>
        ({ owner, body }) =>
          conversions.start(owner, body),
    }),
  ],
}
