import type { CloudPage } from '../../imports/provider.ts'
import { flag, list, nextCursor, record, text } from '../answer/response-schema.ts'
import { envelope } from '../answer/shape.ts'
import { endpoint, ok, type Resource } from '../endpoint.ts'
import { receiveImport, withinTime } from '../request/import.ts'
import { sampleFile } from './files.ts'
import { FILE_REFUSALS, fileStored } from './uploads.ts'

const fileList = envelope(
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
      ref: text('Opaque identifier.'),
      name: text('Name.'),
      size: { type: ['integer', 'null'], minimum: 0, description: 'Bytes; null if unknown.' },
      isFolder: flag('Whether it is a folder, which can be listed but not imported.'),
    }),
  },
  endpoints: [
    endpoint('GET', '/api/import/:provider/files', {
      id: 'listImportFiles',
      authentication: 'account',
      rate: 'requests',
      summary: 'List a folder of a connected provider',
      description: 'Shows one page of the folder. Import a file by its `ref`.',
      query: {
        type: 'object',
        properties: {
          folder: {
            type: 'string',
            minLength: 1,
            maxLength: 4096,
            description: 'The `ref` of a folder. Default: the top folder.',
          },
          cursor: {
            type: 'string',
            minLength: 1,
            maxLength: 4096,
            description: 'The `nextCursor` of the previous page.',
          },
        },
      },
      answer: ok('A page.', fileList),
      refusals: ['URL_NOT_ALLOWED', 'NOT_FOUND', 'IMPORT_FAILED'],
      handle: ({ config, imports: { clouds } }, { ctx, params, owner, query }) =>
        withinTime(config, ctx, (signal) => clouds.files(owner, { provider: params.provider, ...query }, signal)),
    }),
    endpoint('POST', '/api/import/:provider', {
      id: 'importFromProvider',
      authentication: 'account',
      rate: 'uploads',
      idempotent: true,
      summary: 'Import a file from a connected provider',
      description: 'Downloads the file from the provider and answers as for an upload.',
      body: {
        type: 'object',
        required: ['ref'],
        properties: {
          ref: { type: 'string', minLength: 1, maxLength: 4096, description: 'The `ref` of a listed file.' },
        },
      },
      example: (pair) => ({ ref: `holiday/${sampleFile(pair).name}` }),
      answer: fileStored,
      refusals: ['URL_NOT_ALLOWED', 'NOT_FOUND', 'IMPORT_FAILED', ...FILE_REFUSALS],
      handle: (kernel, { ctx, params, owner, body: { ref }, once }) => {
        const file = { provider: params.provider, ref }
        return receiveImport(kernel, ctx, owner, once, (allowance) =>
          kernel.imports.clouds.open(owner, file, allowance),
        )
      },
    }),
  ],
}
