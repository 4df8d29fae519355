import type { Kernel } from '../../boot/kernel.ts'
import type { Code } from '../../errors.ts'
import { CHECKSUMS } from '../../files/uploads/resumable/checksum.ts'
import type { Context } from '../context.ts'
import { done, type Edge, type Endpoint, endpoint, type Input, type Resource, SENT } from '../endpoint.ts'
import { PART, TUS_PATH, TUS_VERSION } from '../request/tus.ts'
import { FILE_REFUSALS, fileStored } from './uploads.ts'

/** Of one upload. */
const PATH = `${TUS_PATH}/:id` as const

const one = { authentication: 'optional', rate: 'none' } as const
const refusals: readonly Code[] = ['BAD_REQUEST', 'NOT_FOUND']

const header = (name: string, description: string) => ({ name, in: 'header', description }) as const

/** The answer to an upload whose last part has arrived. */
const finishedAnswer = { ...fileStored, status: 200 }

/** Sets the header that every answer of the protocol has. */
const speak = (ctx: Context) => ctx.set('Tus-Resumable', TUS_VERSION)

/** What clients can use, by the protocol. */
const discover: Endpoint['discover'] = ({ config, resumable }, { plan }) => {
  const { maxFileSize } = config.plans[plan]
  return {
    'Tus-Resumable': TUS_VERSION,
    'Tus-Version': TUS_VERSION,
    'Tus-Extension': resumable.store.extensions.join(),
    'Tus-Checksum-Algorithm': CHECKSUMS.join(),
    ...(maxFileSize !== null && { 'Tus-Max-Size': String(maxFileSize) }),
  }
}

/** Answers requests about one upload. */
async function handleUpload(
  { resumable }: Kernel,
  { ctx, params, owner }: Pick<Input<typeof PATH, 'optional', never, never>, 'ctx' | 'params' | 'owner'>,
  { tus }: Edge,
) {
  speak(ctx)
  return (await tus(ctx, owner, await resumable.idOf(owner, params.id))) ?? SENT
}

export const resumableUploads: Resource = {
  tag: 'Files',
  endpoints: [
    endpoint('POST', TUS_PATH, {
      id: 'createUpload',
      authentication: 'optional',
      rate: 'uploads',
      summary: 'Begin a resumable upload',
      description:
        'Any client of tus 1.0.0 works. Send `tus-resumable: 1.0.0`; `OPTIONS` lists the extensions. It expires after 24 hours.',
      parameters: [
        header('upload-length', 'Bytes of the file; or `upload-defer-length: 1`.'),
        header('upload-metadata', '`filename` and its name in Base64.'),
      ],
      answer: { status: 201, description: 'Send the parts to `Location`.', headers: ['Location'] },
      refusals: [
        ...FILE_REFUSALS.filter((code) => code !== 'UNSUPPORTED_FORMAT'),
        'BAD_REQUEST',
        'PRECONDITION_FAILED',
      ],
      discover,
      handle: async (_kernel, { ctx, owner }, { tus }) => {
        speak(ctx)
        await tus(ctx, owner)
        return SENT
      },
    }),
    endpoint('PATCH', PATH, {
      ...one,
      id: 'sendPart',
      summary: 'Send a part',
      description: 'The last part is answered as an upload is.',
      parameters: [
        header('upload-offset', 'Where the part begins.'),
        header('upload-checksum', '`sha256` and the checksum of the part in Base64.'),
      ],
      body: { media: PART, schema: { type: 'string', format: 'binary' } },
      answer: finishedAnswer,
      otherAnswers: [{ status: 204, description: 'Send the next part.' }],
      refusals: [...refusals, ...FILE_REFUSALS, 'OFFSET_MISMATCH', 'CHECKSUM_MISMATCH'],
      handle: handleUpload,
    }),
    endpoint('GET', PATH, {
      ...one,
      id: 'getUpload',
      summary: 'Show a resumable upload',
      description:
        'HEAD shows its `Upload-Offset`, from which to continue. GET returns the answer to the last part again.',
      answer: finishedAnswer,
      refusals: [...refusals, 'UNSUPPORTED_FORMAT'],
      handle: async (kernel, input, edge) => {
        if (input.ctx.method === 'HEAD') return handleUpload(kernel, input, edge)
        const id = await kernel.resumable.idOf(input.owner, input.params.id)
        return kernel.resumable.finish(input.owner, id)
      },
    }),
    endpoint('DELETE', PATH, {
      ...one,
      id: 'deleteUpload',
      summary: 'Give up a resumable upload',
      description: 'Removes its parts. If it is complete, the stored file stays.',
      answer: done,
      refusals: ['NOT_FOUND'],
      discover,
      handle: handleUpload,
    }),
  ],
}
