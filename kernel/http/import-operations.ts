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
    ...{ method: 'POST', path: '/api/import/url', id: 'importUrl', tag: 'Imports' },
    summary: 'Import a file from a public URL, as if it were uploaded',
    body: importUrlBody,
    success: imported,
    refusals: [...COMMON, ...BODY, 'URL_NOT_ALLOWED', ...FILE_REFUSALS],
  },
  {
    ...{ method: 'GET', path: '/api/import/providers', id: 'listProviders', tag: 'Imports' },
    summary: 'List the cloud providers',
    success: ok('All of them.', 'ProviderList'),
    refusals: COMMON,
  },
  {
    ...{
      method: 'POST',
      path: '/api/import/:provider/connect',
      id: 'connectProvider',
      tag: 'Imports',
      needs: 'account',
    },
    summary: 'Connect a cloud provider; one that takes credentials at once, the others by opening `authorizeUrl`',
    ...{ body: connectProviderBody, bodyOptional: true },
    success: ok('Begun, or done.', 'ConnectResponse'),
    refusals: [...COMMON, ...BODY, 'URL_NOT_ALLOWED', 'NOT_FOUND', 'IMPORT_FAILED'],
  },
  {
    ...{ method: 'GET', path: '/api/import/:provider/callback', id: 'finishConnection', tag: 'Imports' },
    summary: 'Finish a connection: where a provider sends the browser back',
    query: finishConnectionQuery,
    success: ok('It is connected.', 'ProviderResponse'),
    refusals: [...COMMON, 'BAD_REQUEST', 'NOT_FOUND', 'IMPORT_FAILED'],
  },
  {
    ...{ method: 'GET', path: '/api/import/:provider/files', id: 'listCloudFiles', tag: 'Imports', needs: 'account' },
    summary: 'List a folder of a connected provider',
    query: listCloudFilesQuery,
    success: ok('A page.', 'CloudFileList'),
    refusals: [...COMMON, 'BAD_REQUEST', 'URL_NOT_ALLOWED', 'NOT_FOUND', 'IMPORT_FAILED'],
  },
  {
    ...{ method: 'POST', path: '/api/import/:provider', id: 'importCloudFile', tag: 'Imports', needs: 'account' },
    summary: 'Import a file from a connected provider, as if it were uploaded',
    body: importFileBody,
    success: imported,
    refusals: [...COMMON, ...BODY, 'URL_NOT_ALLOWED', 'NOT_FOUND', ...FILE_REFUSALS],
  },
  {
    ...{ method: 'DELETE', path: '/api/import/:provider', id: 'disconnectProvider', tag: 'Imports', needs: 'account' },
    summary: 'Disconnect a provider: the permission is taken back there, and forgotten here',
    success: gone,
    refusals: [...COMMON, 'NOT_FOUND'],
  },
]
