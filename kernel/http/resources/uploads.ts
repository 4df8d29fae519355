import { type Code, ServiceError } from '../../errors.ts'
import type { Admission } from '../../files/uploads/admission.ts'
import { record, reference, text, texts } from '../answer/response-schema.ts'
import { shape } from '../answer/shape.ts'
import { created, endpoint, type Resource } from '../endpoint.ts'
import { admitOnce, isSentAgain } from '../request/admit-once.ts'
import { REPEATED } from '../request/idempotency-key.ts'
import { isForm, receiveFile } from '../request/upload-form.ts'
import { fileRecord, sampleFile } from './files.ts'

const uploadResponse = shape(
  'UploadResponse',
  record({
    file: reference('UploadedFile'),
    detection: record({ extension: text('Format.'), mimeType: text('Media type.'), category: reference('Category') }),
    suggestions: { ...texts('Targets, the most wanted first.'), maxItems: 12, uniqueItems: true },
  }),
  ({ file, detection, suggestions }: Admission) => ({ file: fileRecord(file), detection, suggestions }),
  (pair) => ({
    file: sampleFile(pair),
    detection: { extension: pair.from.extension, mimeType: pair.from.mimeType, category: pair.from.category },
    suggestions: pair.suggestions.slice(0, 3),
  }),
)

/** What uploads and imports answer. */
export const fileStored = created('The file is stored.', uploadResponse, ({ file }) => fileRecord(file).path)

/** Refusals of every file, however it arrives. */
export const FILE_REFUSALS: readonly Code[] = ['UNSUPPORTED_FORMAT', 'FILE_TOO_LARGE', 'STORAGE_FULL']

export const uploads: Resource = {
  tag: 'Files',
  endpoints: [
    endpoint('POST', '/api/uploads', {
      id: 'uploadFile',
      authentication: 'optional',
      rate: 'uploads',
      idempotent: true,
      summary: 'Upload a file',
      description: 'Send a form with one part named `file`.',
      body: {
        media: 'multipart/form-data',
        schema: {
          type: 'object',
          required: ['file'],
          properties: { file: { type: 'string', format: 'binary', description: 'The file, with its name.' } },
        },
      },
      answer: fileStored,
      refusals: ['BAD_REQUEST', 'UNSUPPORTED_MEDIA_TYPE', ...FILE_REFUSALS],
      handle: async (kernel, { ctx, owner, once, recheck }) => {
        if (!isForm(ctx)) {
          const message = 'The Content-Type must be multipart/form-data with a boundary'
          throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', message)
        }
        const { name, staged } = await receiveFile(ctx, kernel, owner, recheck)
        if (await isSentAgain(once, staged, name)) return REPEATED
        return admitOnce(kernel.files, owner, { staged, name, once })
      },
    }),
  ],
}
