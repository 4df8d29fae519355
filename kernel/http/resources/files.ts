import type { StoredFile } from '../../uploads/stored-file.ts'
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
  ...{ owner: 'guest', name: `photo.${extension}`, mime: mimeType, size: 18234, format: extension, category },
  createdAt: SAMPLE_TIME,
})

const fileResponse = shape(
  'FileResponse',
  record({ file: reference('UploadedFile') }),
  (file: StoredFile) => ({ file: fileRecord(file) }),
  sampleFile,
)

export const files: Resource = {
  tag: 'Files',
  schemas: {
    UploadedFile: record({
      fileId: text('Opaque; names the file in later requests.'),
      originalName: text("The upload's name."),
      mimeType: text('Media type.'),
      size: count('Bytes.'),
      format: text('Detected format.'),
      category: reference('Category'),
      path: text('Where the record is.', { pattern: '^/api/files/[^/]+$' }),
    }),
  },
  endpoints: [
    endpoint({
      ...{ method: 'GET', path: '/api/files/:id', id: 'getFile', authentication: 'optional', rate: 'downloads' },
      summary: "Show an upload's record",
      description: 'Returns the record that the upload answered.',
      answer: ok('The record.', fileResponse),
      refusals: ['NOT_FOUND'],
      handle:
        ({ files }) =>
        ({ ctx, owner }) =>
          files.find(owner, ctx.params.id!),
    }),
    endpoint({
      ...{ method: 'DELETE', path: '/api/files/:id', id: 'deleteFile', authentication: 'optional', rate: 'downloads' },
      summary: 'Remove an upload; its queued conversions fail',
      description:
        'Deletes the file and its record. Conversions that are processing finish; queued ones fail with the code `CANCELLED`.',
      answer: done,
      refusals: ['NOT_FOUND'],
      handle:
        ({ files }) =>
        ({ ctx, owner }) =>
          files.remove(owner, ctx.params.id!),
    }),
  ],
}
