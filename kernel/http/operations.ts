import { accountOperations } from './account-operations.ts'
import { batchOperations } from './batch-operations.ts'
import { importOperations } from './import-operations.ts'
import { COMMON, gone, OF_A_START, type Operation, ok } from './operation.ts'
import { listConversionsQuery, listToolsQuery, showConversionQuery, startConversionBody } from './schemas.ts'
import { teamOperations } from './team-operations.ts'
import type { ObjectSchema } from './validation.ts'

const FILE_HEADERS = ['Accept-Ranges', 'Content-Disposition', 'ETag', 'Last-Modified']

const downloadQuery: ObjectSchema = {
  type: 'object',
  properties: { token: { type: 'string', description: 'As `outputUrl` carries it; needed without a credential.' } },
}

/** Every route, described. @param categories Those of the catalogue. */
export const operations = (categories: readonly string[]): Operation[] => [
  {
    ...{ method: 'POST', path: '/api/uploads', id: 'uploadFile', tag: 'Files' },
    summary: 'Upload a file; its format is detected by its content',
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
    ...{ method: 'GET', path: '/api/files/:id', id: 'showFile', tag: 'Files' },
    summary: "Show an upload's record",
    success: ok('The record.', 'FileResponse'),
    refusals: [...COMMON, 'NOT_FOUND'],
  },
  {
    ...{ method: 'DELETE', path: '/api/files/:id', id: 'removeFile', tag: 'Files' },
    summary: 'Remove an upload; its queued conversions fail',
    success: gone,
    refusals: [...COMMON, 'NOT_FOUND'],
  },
  {
    ...{ method: 'GET', path: '/api/files/:id/download', id: 'download', tag: 'Files' },
    summary: "Download a result by its conversion's id or its storage key, or an upload by its `fileId`",
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
    body: startConversionBody,
    success: [{ status: 201, description: 'It is accepted.', schema: 'StartResponse', headers: ['Location'] }],
    refusals: [...COMMON, ...OF_A_START],
  },
  ...batchOperations,
  {
    ...{ method: 'GET', path: '/api/conversions', id: 'listConversions', tag: 'Conversions', forTeams: true },
    summary: 'List own conversions, newest first',
    query: listConversionsQuery,
    success: ok('A page.', 'ConversionList'),
    refusals: [...COMMON, 'BAD_REQUEST', 'NOT_FOUND'],
  },
  {
    ...{ method: 'GET', path: '/api/conversions/:id', id: 'showConversion', tag: 'Conversions' },
    summary: 'Poll a conversion every 2 to 5 seconds, or wait for its end',
    query: showConversionQuery,
    success: ok('The conversion.', 'ConversionResponse'),
    refusals: [...COMMON, 'BAD_REQUEST', 'NOT_FOUND'],
  },
  {
    ...{ method: 'DELETE', path: '/api/conversions/:id', id: 'removeConversion', tag: 'Conversions' },
    summary: 'Cancel a conversion, or delete an ended one with its result',
    success: gone,
    refusals: [...COMMON, 'NOT_FOUND'],
  },
  {
    ...{ method: 'GET', path: '/api/tools', id: 'listTools', tag: 'Catalogue' },
    summary: 'List what can be converted into what',
    query: listToolsQuery(categories),
    success: ok('A page.', 'ToolList'),
    refusals: [...COMMON, 'BAD_REQUEST'],
  },
  {
    ...{ method: 'GET', path: '/api/tools/:slug', id: 'showTool', tag: 'Catalogue' },
    summary: 'Show one tool',
    success: ok('The tool.', 'ToolResponse'),
    refusals: [...COMMON, 'NOT_FOUND'],
  },
  {
    ...{ method: 'GET', path: '/api/formats', id: 'listFormats', tag: 'Catalogue' },
    summary: 'List the formats',
    success: ok('All of them.', 'FormatList'),
    refusals: COMMON,
  },
  {
    ...{ method: 'GET', path: '/api/openapi.json', id: 'showDocument', tag: 'Catalogue' },
    summary: 'Show this document',
    success: [{ status: 200, description: 'OpenAPI 3.1.', media: 'application/json' }],
    refusals: COMMON,
  },
  ...accountOperations,
  ...teamOperations,
  {
    ...{ method: 'GET', path: '/healthz', id: 'reportLife', tag: 'Operating' },
    summary: 'Whether the process answers',
    success: ok('It does.', 'Life'),
    refusals: [],
  },
  {
    ...{ method: 'GET', path: '/readyz', id: 'reportReadiness', tag: 'Operating' },
    summary: 'Whether everything that work needs is there',
    success: ok('It is.', 'Readiness'),
    refusals: ['NOT_READY'],
  },
  {
    ...{ method: 'GET', path: '/metrics', id: 'reportMetrics', tag: 'Operating' },
    summary: 'Figures for Prometheus',
    success: [{ status: 200, description: 'Text exposition format.', media: 'text/plain' }],
    refusals: ['UNAUTHORIZED', 'NOT_FOUND'],
  },
]
