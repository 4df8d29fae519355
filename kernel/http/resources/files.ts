import { ServiceError } from '../../errors.ts'
import type { StoredFile } from '../../files/uploads/stored-file.ts'
import { ownersSeenBy } from '../../people/owner.ts'
import { count, record, reference, text } from '../answer/response-schema.ts'
import { shape } from '../answer/shape.ts'
import { done, endpoint, ok, type Resource } from '../endpoint.ts'
import { SAMPLE_TIME, type SamplePair, sampleId } from '../openapi/sample-pair.ts'

/** An uploaded file as clients see it. */
export const fileRecord = (file: StoredFile) => ({
  fileId: file.key,
  originalName: file.name,
  mimeType: file.mime,
  size: file.size,
  format: file.format,
  category: file.category,
  path: `/api/files/${encodeURIComponent(file.key)}`,
})

/** An upload for the examples. */
export const sampleFile = ({ from: { extension, mimeType, category } }: SamplePair): StoredFile => ({
  key: `uploads/2026/11/21/${sampleId('1')}/photo.${extension}`,
  owner: 'guest',
  name: `photo.${extension}`,
  mime: mimeType,
  size: 18234,
  format: extension,
  category,
  createdAt: SAMPLE_TIME,
  sha256: null,
})

export const fileResponse = shape('FileResponse', record({ file: reference('UploadedFile') }), (file: StoredFile) => ({
  file: fileRecord(file),
}))

const sharedGuest = () =>
  new ServiceError(
    'FORBIDDEN',
    'Other guests may share these files: sign in or send x-guest-fingerprint, or delete files one by one',
  )

export const files: Resource = {
  tag: 'Files',
  schemas: {
    UploadedFile: record({
      fileId: text('Opaque identifier, for later requests.'),
      originalName: text('File name.'),
      mimeType: text('Media type.'),
      size: count('Bytes.'),
      format: text('Detected format.'),
      category: reference('Category'),
      path: text('Path of this record.', { pattern: '^/api/files/[^/]+$' }),
    }),
  },
  endpoints: [
    endpoint('DELETE', '/api/files/all', {
      id: 'deleteFiles',
      authentication: 'optional',
      rate: 'downloads',
      summary: 'Delete all your files',
      description: 'Pending conversions are cancelled.',
      answer: done,
      refusals: ['FORBIDDEN'],
      handle: async ({ conversions, resumable }, { owner }) => {
        if (owner.shared) throw sharedGuest()
        // First, so that none becomes a file after the files were deleted.
        await resumable.removeAll(ownersSeenBy(owner))
        await conversions.removeAll(owner)
      },
    }),
    endpoint('GET', '/api/files/:id', {
      id: 'getFile',
      authentication: 'optional',
      rate: 'downloads',
      summary: 'Show an upload',
      description: 'Returns the same record as the upload.',
      answer: ok('The record.', fileResponse),
      refusals: ['NOT_FOUND'],
      handle: ({ files }, { params, owner }) => files.find(owner, params.id),
    }),
    endpoint('DELETE', '/api/files/:id', {
      id: 'deleteFile',
      authentication: 'optional',
      rate: 'downloads',
      summary: 'Delete an upload',
      description: 'Its running conversions finish; its queued ones fail with the code `CANCELLED`.',
      answer: done,
      refusals: ['NOT_FOUND'],
      handle: ({ files }, { params, owner }) => files.remove(owner, params.id),
    }),
  ],
}
