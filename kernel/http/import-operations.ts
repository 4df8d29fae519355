import type { Code } from '../errors.ts'
import {
  connectProviderBody,
  finishConnectionQuery,
  importFileBody,
  importUrlBody,
  listCloudFilesQuery,
} from './import-schemas.ts'
import type { Operation } from './operations.ts'

/** What becomes of a file that is imported: as of one that is uploaded. */
const imported: Operation['success'] = [
  { status: 201, description: 'The file is kept.', schema: 'UploadResponse', headers: ['Location'] },
]

const FILE_REFUSALS: readonly Code[] = ['IMPORT_FAILED', 'UNSUPPORTED_FORMAT', 'FILE_TOO_LARGE', 'STORAGE_FULL']

const BODY_REFUSALS: readonly Code[] = ['BAD_REQUEST', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']

/** The routes of imports, described. @param common Refusals that every path under /api knows. */
export const importOperations = (common: readonly Code[]): Operation[] => [
  {
    ...{ method: 'POST', path: '/api/import/url', id: 'importUrl', tag: 'Imports' },
    summary: 'Import a file from a public URL, as if it were uploaded',
    body: importUrlBody,
    success: imported,
    refusals: [...common, ...BODY_REFUSALS, 'URL_NOT_ALLOWED', ...FILE_REFUSALS],
  },
  {
    ...{ method: 'GET', path: '/api/import/providers', id: 'listProviders', tag: 'Imports' },
    summary: 'List the cloud providers',
    success: [{ status: 200, description: 'All of them.', schema: 'ProviderList' }],
    refusals: common,
  },
  {
    ...{ method: 'POST', path: '/api/import/:provider/connect', id: 'connectProvider', tag: 'Imports' },
    summary: 'Connect a cloud provider; one that takes credentials at once, the others by opening `authorizeUrl`',
    ...{ body: connectProviderBody, bodyOptional: true },
    success: [{ status: 200, description: 'Begun, or done.', schema: 'ConnectResponse' }],
    refusals: [...common, ...BODY_REFUSALS, 'URL_NOT_ALLOWED', 'NOT_FOUND', 'IMPORT_FAILED'],
  },
  {
    ...{ method: 'GET', path: '/api/import/:provider/callback', id: 'finishConnection', tag: 'Imports' },
    summary: 'Finish a connection: where a provider sends the browser back',
    query: finishConnectionQuery,
    success: [{ status: 200, description: 'It is connected.', schema: 'ProviderResponse' }],
    refusals: [...common, 'BAD_REQUEST', 'NOT_FOUND', 'IMPORT_FAILED'],
  },
  {
    ...{ method: 'GET', path: '/api/import/:provider/files', id: 'listCloudFiles', tag: 'Imports' },
    summary: 'List a folder of a connected provider',
    query: listCloudFilesQuery,
    success: [{ status: 200, description: 'A page.', schema: 'CloudFileList' }],
    refusals: [...common, 'BAD_REQUEST', 'URL_NOT_ALLOWED', 'NOT_FOUND', 'IMPORT_FAILED'],
  },
  {
    ...{ method: 'POST', path: '/api/import/:provider', id: 'importCloudFile', tag: 'Imports' },
    summary: 'Import a file from a connected provider, as if it were uploaded',
    body: importFileBody,
    success: imported,
    refusals: [...common, ...BODY_REFUSALS, 'URL_NOT_ALLOWED', 'NOT_FOUND', ...FILE_REFUSALS],
  },
  {
    ...{ method: 'DELETE', path: '/api/import/:provider', id: 'disconnectProvider', tag: 'Imports' },
    summary: 'Disconnect a provider: the permission is taken back there, and forgotten here',
    success: [{ status: 204, description: 'Done; there is no body.' }],
    refusals: [...common, 'NOT_FOUND'],
  },
]
