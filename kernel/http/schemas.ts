import type { FailureCode } from '../contract.ts'
import { STATUS } from '../errors.ts'
import { accountSchemas } from './account-schemas.ts'
import { importResponses } from './import-schemas.ts'
import {
  count,
  flag,
  list,
  nextCursor,
  type ResponseSchema,
  record,
  reference,
  text,
  texts,
  time,
} from './response-schema.ts'
import type { ObjectSchema, Schema } from './validation.ts'

/** Entries of a page when the client does not say. */
export const PAGE = 50

const STATUSES = ['queued', 'processing', 'completed', 'failed']

/** Every code of a failed conversion. */
const FAILURES = Object.keys({
  ...{ CONVERSION_ERROR: 0, TIMEOUT: 0, RESOURCE_LIMIT: 0, CANCELLED: 0, ENCRYPTED_INPUT: 0 },
  INTERNAL_SERVER_ERROR: 0,
} satisfies Record<FailureCode, 0>)

export const limit: Schema = {
  type: 'integer',
  minimum: 1,
  maximum: 200,
  default: PAGE,
  description: 'Entries of one page.',
}
export const cursor: Schema = { type: 'string', minLength: 1, description: 'The `nextCursor` of the page before.' }

/** Of a request: the options of any category. */
export const CONVERSION_OPTIONS = { $ref: '#/components/schemas/ConversionOptions' }

/** What requests must look like. These schemas validate, and the OpenAPI document shows them. */
export const startConversionBody: ObjectSchema = {
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
}

export const showConversionQuery: ObjectSchema = {
  type: 'object',
  properties: {
    wait: { type: 'integer', minimum: 0, maximum: 30, default: 0, description: 'Seconds to wait for the end.' },
  },
}

export const listConversionsQuery: ObjectSchema = {
  type: 'object',
  properties: { status: { type: 'string', enum: STATUSES, description: 'Only these.' }, limit, cursor },
}

export const listTeamsQuery: ObjectSchema = { type: 'object', properties: { limit, cursor } }

export const listToolsQuery = (categories: readonly string[]): ObjectSchema => ({
  type: 'object',
  properties: {
    category: { type: 'string', enum: [...categories], description: 'Of the target.' },
    from: { type: 'string', minLength: 1, description: 'Source format: an extension or an alias of one.' },
    to: { type: 'string', minLength: 1, description: 'Target format: an extension or an alias of one.' },
    limit,
    cursor,
  },
})

/** What responses look like, by the name that the OpenAPI document gives them. @param categories Of the catalogue. */
export const responseSchemas = (categories: readonly string[]): Record<string, ResponseSchema> => ({
  Category: { type: 'string', enum: [...categories] },
  ErrorResponse: record({ error: reference('ErrorDetail') }),
  ErrorDetail: record({
    message: text('One sentence for people: what is wrong and what would be accepted.', { minLength: 1 }),
    code: text('For programs.', { enum: Object.keys(STATUS) }),
  }),
  ConversionStatus: text('Ends as `completed` or `failed`.', { enum: STATUSES }),
  UploadedFile: record({
    fileId: text('Opaque; names the file in later requests.'),
    originalName: text("The upload's name."),
    mimeType: text('Media type.'),
    size: count('Bytes.'),
    format: text('Detected format.'),
    category: reference('Category'),
    path: text('Where the record is.', { pattern: '^/api/files/[^/]+$' }),
  }),
  FileResponse: record({ file: reference('UploadedFile') }),
  UploadResponse: record({
    file: reference('UploadedFile'),
    detection: record({ extension: text('Format.'), mimeType: text('Media type.'), category: reference('Category') }),
    suggestions: { ...texts('Targets, most wanted first.'), maxItems: 12, uniqueItems: true },
  }),
  ...importResponses,
  StartResponse: record({
    conversionId: text('Names the conversion.'),
    queued: flag('Whether it waits.'),
    queueDepth: count('Conversions that wait.'),
  }),
  ConversionError: record({ code: text('Why it failed.', { enum: FAILURES }), message: text('One sentence.') }),
  Conversion: record(
    {
      id: text('Names the conversion.'),
      status: reference('ConversionStatus'),
      progress: count('Percent; never falls.', { maximum: 100 }),
      fromFormat: text('Source format.'),
      toFormat: text('Target format.'),
      outputFileId: text('Storage key of the result, when completed.'),
      outputUrl: text('Where the result can be downloaded for some minutes, when completed.', { format: 'uri' }),
      outputSize: count('Bytes of the result, when completed.'),
      createdAt: time('When it was requested.'),
      completedAt: time('When it was completed.'),
      error: {
        oneOf: [reference('ConversionError'), { type: 'null' }],
        description: 'Null unless it failed.',
      },
    },
    ['outputFileId', 'outputUrl', 'outputSize', 'completedAt'],
  ),
  ConversionResponse: record({ conversion: reference('Conversion') }),
  ConversionList: record({ conversions: list('Conversion'), nextCursor }),
  Tool: record({
    slug: text('Names the tool: `png-to-webp`, `optimize-pdf`.'),
    name: text('For people.'),
    description: text('One sentence.'),
    category: reference('Category'),
    fromFormat: text('Source format.'),
    toFormat: text('Target format.'),
    jobIntent: text('What a request must say.', { enum: ['convert', 'transform'] }),
    options: {
      type: 'object',
      additionalProperties: true,
      description: 'The JSON Schema (2020-12) that validates the options.',
    },
    engine: text('The program that does it; of two in a row, both.'),
    enabled: flag('False: closed by an administrator.'),
  }),
  ToolResponse: record({ tool: reference('Tool') }),
  ToolList: record({ tools: list('Tool'), total: count('Tools that fit.'), nextCursor }),
  Format: record({
    extension: text('Canonical name.'),
    aliases: texts('Other names, accepted everywhere.'),
    mimeType: text('Media type.'),
    category: reference('Category'),
    readable: flag('Whether it can be a source.'),
    writable: flag('Whether it can be a target.'),
    targets: texts('Formats that it can become.'),
  }),
  FormatList: record({ formats: list('Format') }),
  ...accountSchemas,
  Life: record({ status: { const: 'ok' } }),
  Readiness: record({
    status: { const: 'ready' },
    parts: {
      type: 'object',
      additionalProperties: record({ ok: flag('Works.'), detail: text('For people.') }, ['detail']),
    },
  }),
})
