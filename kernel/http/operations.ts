import { accountOperations } from './account-operations.ts'
import { batchOperations } from './batch-operations.ts'
import { importOperations } from './import-operations.ts'
import { COMMON, gone, OF_A_START, type Operation, ok } from './operation.ts'
import { listConversionsQuery, listToolsQuery, showConversionQuery, startConversionBody } from './schemas.ts'
import { teamOperations } from './team-operations.ts'
import type { ObjectSchema } from './validation.ts'

const FILE_HEADERS = ['Accept-Ranges', 'Content-Disposition', 'ETag', 'Last-Modified'] as const

const downloadQuery: ObjectSchema = {
  type: 'object',
  properties: { token: { type: 'string', description: 'As `outputUrl` carries it; needed without a credential.' } },
}

/** Every route, described. @param categories Those of the catalogue. */
export const operations = (categories: readonly string[]): Operation[] => [
  {
    ...{ method: 'POST', path: '/api/uploads', id: 'uploadFile', tag: 'Files' },
    summary: 'Upload a file; its format is detected by its content',
    description:
      'Send one part named `file`. The service streams it to storage and detects its format from its content. Keep the `fileId` of the answer: conversions need it.',
    body: 'form',
    success: [{ status: 201, description: 'The file is kept.', schema: 'UploadResponse', headers: ['Location'] }],
    refusals: [
      ...COMMON,
      'BAD_REQUEST',
      'UNSUPPORTED_FORMAT',
      'FILE_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'STORAGE_FULL',
    ],
  },
  ...importOperations,
  {
    ...{ method: 'GET', path: '/api/files/:id', id: 'getFile', tag: 'Files' },
    summary: "Show an upload's record",
    description: 'Returns the record that the upload answered.',
    success: ok('The record.', 'FileResponse'),
    refusals: [...COMMON, 'NOT_FOUND'],
  },
  {
    ...{ method: 'DELETE', path: '/api/files/:id', id: 'deleteFile', tag: 'Files' },
    summary: 'Remove an upload; its queued conversions fail',
    description:
      'Deletes the file and its record. Conversions that are processing finish; queued ones fail with the code `CANCELLED`.',
    success: gone,
    refusals: [...COMMON, 'NOT_FOUND'],
  },
  {
    ...{ method: 'GET', path: '/api/files/:id/download', id: 'downloadFile', tag: 'Files' },
    summary: "Download a result by its conversion's id or its storage key, or an upload by its `fileId`",
    description:
      "Use `outputUrl` as it is, or send a credential of the owner. Ranges and conditional requests work. The answer is an attachment whose name ends in the target's extension.",
    query: downloadQuery,
    success: [
      { status: 200, description: 'The file.', media: '*/*', headers: FILE_HEADERS },
      {
        status: 206,
        description: 'The part that Range names.',
        media: '*/*',
        headers: [...FILE_HEADERS, 'Content-Range'],
      },
      { status: 304, description: 'The client has it already.', headers: ['ETag'] },
    ],
    refusals: [...COMMON, 'NOT_FOUND', 'PRECONDITION_FAILED', 'RANGE_NOT_SATISFIABLE'],
  },
  {
    ...{ method: 'POST', path: '/api/conversions', id: 'startConversion', tag: 'Conversions', forTeams: true },
    summary: 'Start a conversion',
    description:
      'The answer comes at once; the conversion runs in the background. Poll it until its status is `completed` or `failed`.',
    body: startConversionBody,
    success: [{ status: 201, description: 'It is accepted.', schema: 'StartResponse', headers: ['Location'] }],
    refusals: [...COMMON, ...OF_A_START],
  },
  ...batchOperations,
  {
    ...{ method: 'GET', path: '/api/conversions', id: 'listConversions', tag: 'Conversions', forTeams: true },
    summary: 'List own conversions, newest first',
    description: 'Pages have a `nextCursor`; send it as `cursor` to get the next one.',
    query: listConversionsQuery,
    success: ok('A page.', 'ConversionList'),
    refusals: [...COMMON, 'BAD_REQUEST', 'NOT_FOUND'],
  },
  {
    ...{ method: 'GET', path: '/api/conversions/:id', id: 'getConversion', tag: 'Conversions' },
    summary: 'Poll a conversion every 2 to 5 seconds, or wait for its end',
    description:
      'Stop polling at `completed` or `failed`. With `wait`, the answer comes when the conversion ends, at the latest after that many seconds. `outputUrl` is new in every answer and works for some minutes.',
    query: showConversionQuery,
    success: ok('The conversion.', 'ConversionResponse'),
    refusals: [...COMMON, 'BAD_REQUEST', 'NOT_FOUND'],
  },
  {
    ...{ method: 'DELETE', path: '/api/conversions/:id', id: 'deleteConversion', tag: 'Conversions' },
    summary: 'Cancel a conversion, or delete an ended one with its result',
    description:
      'A pending conversion is cancelled: it becomes `failed` with the code `CANCELLED`. One that has ended is deleted with its result.',
    success: gone,
    refusals: [...COMMON, 'NOT_FOUND'],
  },
  {
    ...{ method: 'GET', path: '/api/tools', id: 'listTools', tag: 'Catalogue' },
    summary: 'List what can be converted into what',
    description:
      'A tool is one pair of formats. Further pages, asked for by `cursor`, count in rate windows of their own, so that the whole list can be read.',
    query: listToolsQuery(categories),
    success: ok('A page.', 'ToolList'),
    refusals: [...COMMON, 'BAD_REQUEST'],
  },
  {
    ...{ method: 'GET', path: '/api/tools/:slug', id: 'getTool', tag: 'Catalogue' },
    summary: 'Show one tool',
    description: 'Formats in the slug may be aliases: `jpeg-to-webp` finds the tool `jpg-to-webp`.',
    success: ok('The tool.', 'ToolResponse'),
    refusals: [...COMMON, 'NOT_FOUND'],
  },
  {
    ...{ method: 'GET', path: '/api/formats', id: 'listFormats', tag: 'Catalogue' },
    summary: 'List the formats',
    description: 'Shows every format with its aliases and the formats that it can become.',
    success: ok('All of them.', 'FormatList'),
    refusals: COMMON,
  },
  {
    ...{ method: 'GET', path: '/api/openapi.json', id: 'getOpenApiDocument', tag: 'Catalogue' },
    summary: 'Show this document',
    description: 'The document describes this installation: its categories and the options of each.',
    success: [{ status: 200, description: 'OpenAPI 3.1.', media: 'application/json' }],
    refusals: COMMON,
  },
  ...accountOperations,
  ...teamOperations,
  {
    ...{ method: 'GET', path: '/healthz', id: 'getHealth', tag: 'Operating' },
    summary: 'Whether the process answers',
    description: 'For a probe that restarts the process. It does not look at the database or the storage.',
    success: ok('It does.', 'Life'),
    refusals: [],
  },
  {
    ...{ method: 'GET', path: '/readyz', id: 'getReadiness', tag: 'Operating' },
    summary: 'Whether everything that work needs is there',
    description: 'For a load balancer: checks the database, the storage and the queue.',
    success: ok('It is.', 'Readiness'),
    refusals: ['NOT_READY'],
  },
  {
    ...{ method: 'GET', path: '/metrics', id: 'getMetrics', tag: 'Operating' },
    summary: 'Figures for Prometheus',
    description: 'In the text format of Prometheus.',
    success: [{ status: 200, description: 'Text exposition format.', media: 'text/plain' }],
    refusals: ['UNAUTHORIZED', 'NOT_FOUND'],
  },
]
