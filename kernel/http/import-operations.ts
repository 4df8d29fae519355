import type { Code } from '../errors.ts'
import {
  connectProviderBody,
  finishConnectionQuery,
  importFileBody,
  importUrlBody,
  listCloudFilesQuery,
} from './import-schemas.ts'
import { BODY, COMMON, gone, type Operation, ok } from './operation.ts'

/** What becomes of a file that is imported: as of one that is uploaded. */
const imported: Operation['success'] = [
  { status: 201, description: 'The file is kept.', schema: 'UploadResponse', headers: ['Location'] },
]

const FILE_REFUSALS: readonly Code[] = ['IMPORT_FAILED', 'UNSUPPORTED_FORMAT', 'FILE_TOO_LARGE', 'STORAGE_FULL']

/** The routes of imports, described. */
export const importOperations: readonly Operation[] = [
  {
    ...{ method: 'POST', path: '/api/import/url', id: 'importFromUrl', tag: 'Imports' },
    summary: 'Import a file from a public URL, as if it were uploaded',
    description:
      'The service downloads the file and answers as for an upload. Only public servers can be reached, by http or https.',
    body: importUrlBody,
    success: imported,
    refusals: [...COMMON, ...BODY, 'URL_NOT_ALLOWED', ...FILE_REFUSALS],
  },
  {
    ...{ method: 'GET', path: '/api/import/providers', id: 'listImportProviders', tag: 'Imports' },
    summary: 'List the cloud providers',
    description: 'Shows which providers this service offers, and which of them you have connected.',
    success: ok('All of them.', 'ProviderList'),
    refusals: COMMON,
  },
  {
    ...{
      method: 'POST',
      path: '/api/import/:provider/connect',
      id: 'connectImportProvider',
      tag: 'Imports',
      needs: 'account',
    },
    summary: 'Connect a cloud provider; one that takes credentials at once, the others by opening `authorizeUrl`',
    description:
      'Providers of the kind `credentials` are connected at once, and `authorizeUrl` is null. For the kind `oauth`, open `authorizeUrl` in a browser.',
    ...{ body: connectProviderBody, bodyOptional: true },
    success: ok('Begun, or done.', 'ConnectResponse'),
    refusals: [...COMMON, ...BODY, 'URL_NOT_ALLOWED', 'NOT_FOUND', 'IMPORT_FAILED'],
  },
  {
    ...{ method: 'GET', path: '/api/import/:provider/callback', id: 'finishImportConnection', tag: 'Imports' },
    summary: 'Finish a connection: where a provider sends the browser back',
    description: 'The provider sends the browser here after you allowed access. Programs do not call it.',
    query: finishConnectionQuery,
    success: ok('It is connected.', 'ProviderResponse'),
    refusals: [...COMMON, 'BAD_REQUEST', 'NOT_FOUND', 'IMPORT_FAILED'],
  },
  {
    ...{ method: 'GET', path: '/api/import/:provider/files', id: 'listImportFiles', tag: 'Imports', needs: 'account' },
    summary: 'List a folder of a connected provider',
    description: 'Lists one folder, page by page. Import a file by its `ref`.',
    query: listCloudFilesQuery,
    success: ok('A page.', 'CloudFileList'),
    refusals: [...COMMON, 'BAD_REQUEST', 'URL_NOT_ALLOWED', 'NOT_FOUND', 'IMPORT_FAILED'],
  },
  {
    ...{ method: 'POST', path: '/api/import/:provider', id: 'importFromProvider', tag: 'Imports', needs: 'account' },
    summary: 'Import a file from a connected provider, as if it were uploaded',
    description: 'The service downloads the file from the provider and answers as for an upload.',
    body: importFileBody,
    success: imported,
    refusals: [...COMMON, ...BODY, 'URL_NOT_ALLOWED', 'NOT_FOUND', ...FILE_REFUSALS],
  },
  {
    ...{
      method: 'DELETE',
      path: '/api/import/:provider',
      id: 'disconnectImportProvider',
      tag: 'Imports',
      needs: 'account',
    },
    summary: 'Disconnect a provider: the permission is taken back there, and forgotten here',
    description: 'The service revokes the access at the provider, where it can, and forgets the credentials.',
    success: gone,
    refusals: [...COMMON, 'NOT_FOUND'],
  },
]
