import type { Code } from '../errors.ts'
import { importUrlBody } from './import-schemas.ts'
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
]
