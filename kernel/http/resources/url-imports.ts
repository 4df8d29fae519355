import { endpoint, type Resource } from '../endpoint.ts'
import { receiveImport } from '../request/import.ts'
import type { ObjectSchema } from '../request/schema.ts'
import { sampleFile } from './files.ts'
import { FILE_REFUSALS, fileStored } from './uploads.ts'

/** How clients name a file on another server. */
export const urlFields = {
  url: {
    type: 'string',
    minLength: 1,
    maxLength: 8192,
    description: 'Public http or https URL, without user name and password. At most 5 redirects.',
  },
  fileName: {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    description: 'Name of the file. Default: from Content-Disposition, else the last part of the path.',
  },
  headers: {
    type: 'object',
    description:
      'Up to 20 headers to send. Redirects to another origin get only Accept, ' + 'Accept-Language and User-Agent.',
    published: { type: 'object', additionalProperties: { type: 'string' } },
  },
} as const satisfies ObjectSchema['properties']

export const urlImports: Resource = {
  tag: 'Imports',
  endpoints: [
    endpoint('POST', '/api/import/url', {
      id: 'importFromUrl',
      authentication: 'optional',
      rate: 'uploads',
      idempotent: true,
      summary: 'Import a file from a URL',
      description: 'The service downloads the file and answers as for an upload.',
      body: {
        type: 'object',
        required: ['url'],
        properties: urlFields,
      },
      example: (pair) => ({ url: `https://example.org/pictures/${sampleFile(pair).name}` }),
      answer: fileStored,
      refusals: ['URL_NOT_ALLOWED', 'IMPORT_FAILED', ...FILE_REFUSALS],
      handle: (kernel, { ctx, owner, body, once }) =>
        receiveImport(kernel, ctx, owner, once, (allowance) => kernel.imports.openUrl(body, allowance)),
    }),
  ],
}
