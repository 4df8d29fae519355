import type { CloudPage } from '../../imports/provider.ts'
import { flag, list, nextCursor, record, text } from '../answer/response-schema.ts'
import { shape } from '../answer/shape.ts'
import { endpoint, ok, type Resource } from '../endpoint.ts'
import { withinTime } from '../request/deadline.ts'
import { receiveImport } from '../request/receive-import.ts'
import { sampleFile } from './files.ts'
import { FILE_REFUSALS, kept } from './uploads.ts'

const fileList = shape(
  'CloudFileList',
  record({ files: list('CloudFile'), nextCursor }),
  (page: CloudPage) => page,
  (pair) => {
    const { name, size } = sampleFile(pair)
    return { files: [{ ref: `holiday/${name}`, name, size, isFolder: false }], nextCursor: null }
  },
)

export const cloudImports: Resource = {
  tag: 'Imports',
  schemas: {
    CloudFile: record({
      ref: text('Names the file or folder. Opaque.'),
      name: text('For people.'),
      size: { type: ['integer', 'null'], minimum: 0, description: 'Bytes; null where it is not known.' },
      isFolder: flag('Whether its `ref` can be listed, rather than imported.'),
    }),
  },
  endpoints: [
    endpoint({
      ...{ method: 'GET', path: '/api/import/:provider/files', id: 'listImportFiles' },
      ...{ authentication: 'account', rate: 'requests' },
      summary: 'List a folder of a connected provider',
      description: 'Lists one folder, page by page. Import a file by its `ref`.',
      query: {
        type: 'object',
        properties: {
          folder: {
            type: 'string',
            minLength: 1,
            maxLength: 4096,
            description: 'The `ref` of a folder. Default: the top.',
          },
          cursor: {
            type: 'string',
            minLength: 1,
            maxLength: 4096,
            description: 'The `nextCursor` of the page before.',
          },
        },
      },
      answer: ok('A page.', fileList),
      refusals: ['URL_NOT_ALLOWED', 'NOT_FOUND', 'IMPORT_FAILED'],
      handle:
        ({ config, imports: { clouds } }) =>
        ({ ctx, owner, query }) =>
          withinTime(config, ctx, (signal) =>
            clouds.files(owner, { provider: ctx.params.provider!, ...query }, signal),
          ),
    }),
    endpoint({
      ...{ method: 'POST', path: '/api/import/:provider', id: 'importFromProvider' },
      ...{ authentication: 'account', rate: 'uploads' },
      summary: 'Import a file from a connected provider, as if it were uploaded',
      description: 'The service downloads the file from the provider and answers as for an upload.',
      body: {
        type: 'object',
        required: ['ref'],
        properties: {
          ref: { type: 'string', minLength: 1, maxLength: 4096, description: 'As the listing gave it.' },
        },
      },
      example: (pair) => ({ ref: `holiday/${sampleFile(pair).name}` }),
      answer: kept,
      refusals: ['URL_NOT_ALLOWED', 'NOT_FOUND', 'IMPORT_FAILED', ...FILE_REFUSALS],
      handle:
        (kernel) =>
        ({ ctx, owner, body: { ref } }) => {
          const file = { provider: ctx.params.provider!, ref }
          return receiveImport(kernel, ctx, owner, (allowance) => kernel.imports.clouds.open(owner, file, allowance))
        },
    }),
  ],
}
