import type { Kernel } from '../../boot/kernel.ts'
import type { FailureCode } from '../../contract.ts'
import { PENDING } from '../../database/tables/conversions.ts'
import { FAILURE_CODES, ServiceError } from '../../errors.ts'
import type { Conversion } from '../../jobs/records.ts'
import { describeFile, expiredFile, streamFile } from '../answer/file.ts'
import { untilGone } from '../connection/client-gone.ts'
import { type Context, publicPath, sendJson } from '../context.ts'
import { type Edge, endpoint, type Resource, SENT } from '../endpoint.ts'
import type { SamplePair } from '../openapi/sample-pair.ts'
import { linkConversion, samplePending } from './conversion-record.ts'
import { START_REFUSALS } from './conversion-start.ts'
import { conversionResponse, waitQuery } from './conversions.ts'
import { convert, formFields, jsonBody } from './one-call-request.ts'
import { FILE_REFUSALS } from './uploads.ts'

/** Seconds that a client can wait at most, and waits if it does not say. */
const MAX_WAIT = 100
const DEFAULT_WAIT = 60

/** A conversion that goes on. */
const pendingResponse = {
  ...conversionResponse,
  example: (pair: SamplePair) => conversionResponse.present(samplePending(pair)),
}

export const oneCall: Resource = {
  tag: 'Conversions',
  endpoints: [
    endpoint('POST', '/api/convert', {
      id: 'convertFile',
      authentication: 'optional',
      rate: 'conversions',
      alsoCountedAs: 'uploads',
      forTeams: true,
      idempotent: true,
      summary: 'Convert a file in one call',
      description:
        'Send a form with the file and its `toFormat`, or JSON with the `url` of a file. It uploads, starts, waits and downloads. ' +
        'With `Accept: application/json`, the answer is the conversion. If you close the connection, it is cancelled.',
      query: waitQuery(MAX_WAIT, DEFAULT_WAIT),
      body: {
        media: 'multipart/form-data',
        schema: {
          type: 'object',
          required: ['file', 'toFormat'],
          properties: {
            file: { type: 'string', format: 'binary', description: 'The file, with its name.' },
            ...formFields.properties,
          },
        },
        orJson: jsonBody,
      },
      answer: {
        status: 200,
        description: 'The result, with the headers of a download; or the conversion.',
        media: '*/*',
        headers: ['Location'],
      },
      otherAnswers: [
        { status: 202, description: 'It goes on: poll `Location`.', headers: ['Location'], body: pendingResponse },
      ],
      refusals: [
        'BAD_REQUEST',
        'UNSUPPORTED_MEDIA_TYPE',
        'PAYLOAD_TOO_LARGE',
        'URL_NOT_ALLOWED',
        'IMPORT_FAILED',
        ...FILE_REFUSALS,
        ...START_REFUSALS,
        ...FAILURE_CODES,
      ],
      handle: async (kernel, { ctx, owner, query: { wait = DEFAULT_WAIT }, once, recheck }, edge) => {
        const gone = untilGone(ctx)
        const id = await convert(kernel, { ctx, owner, once, recheck })
        const conversion = await kernel.conversions.wait(owner, id, wait, gone)
        if (gone.aborted && PENDING.includes(conversion.status)) await kernel.conversions.remove(owner, id)
        gone.throwIfAborted()
        await answer(kernel, edge, ctx, conversion, gone)
        return SENT
      },
    }),
  ],
}

/** Answers with the bytes of the result, with the record, or with why there is none. */
async function answer(
  kernel: Kernel,
  { places }: Edge,
  ctx: Context,
  conversion: Conversion,
  gone: AbortSignal,
): Promise<void> {
  const { id, status, error } = conversion
  if (error) throw new ServiceError(error.code as FailureCode, error.message)
  ctx.set('Location', publicPath(kernel.config, `/api/conversions/${id}`))
  const isPending = PENDING.includes(status)
  if (isPending || wantsRecord(ctx)) {
    const linked = await linkConversion(kernel, ctx, conversion)
    return sendJson(ctx, conversionResponse.present(linked), isPending ? 202 : 200)
  }
  const item = await kernel.conversions.downloadable(id)
  if (!item) throw expiredFile()
  describeFile(ctx, item)
  await streamFile(kernel, places, ctx, item, undefined, gone)
}

/** Whether the client accepts JSON only. A result can be JSON, too, so one that accepts anything gets the bytes. */
function wantsRecord(ctx: Context): boolean {
  const accepted = ctx.get('Accept').toLowerCase()
  return accepted.includes('application/json') && !accepted.includes('*/*')
}
