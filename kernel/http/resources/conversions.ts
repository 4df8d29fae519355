import type { Kernel } from '../../boot/kernel.ts'
import type { FailureCode } from '../../contract.ts'
import type { Status } from '../../database/tables/conversions.ts'
import type { Conversion } from '../../jobs/records.ts'
import { count, list, nextCursor, record, reference, text, time } from '../answer/response-schema.ts'
import { envelope } from '../answer/shape.ts'
import { untilGone } from '../connection/client-gone.ts'
import { baseUrl, type Context } from '../context.ts'
import { done, endpoint, ok, type Resource } from '../endpoint.ts'
import { SAMPLE_TIME, type SamplePair, sampleId } from '../openapi/sample-pair.ts'
import { cursor, limit, PAGE } from '../request/paging.ts'
import { fileResponse } from './files.ts'

const STATUSES = ['queued', 'processing', 'completed', 'failed'] as const satisfies readonly Status[]

/** Every code of a failed conversion. */
const FAILURES = Object.keys({
  CONVERSION_ERROR: 0,
  TIMEOUT: 0,
  RESOURCE_LIMIT: 0,
  CANCELLED: 0,
  ENCRYPTED_INPUT: 0,
  INTERNAL_SERVER_ERROR: 0,
} satisfies Record<FailureCode, 0>)

/** A conversion, with the URL of its result when it is completed, or its place in the queue. */
export interface LinkedConversion {
  conversion: Conversion
  outputUrl?: string
  /** 1 is the first. */
  queuePosition?: number | undefined
}

/** A conversion as clients see it. Fields without a value are left out, except `error`. */
export function conversionRecord({ conversion, outputUrl, queuePosition }: LinkedConversion) {
  const { completedAt } = conversion
  return {
    id: conversion.id,
    status: conversion.status,
    progress: conversion.progress,
    fromFormat: conversion.fromFormat,
    toFormat: conversion.toFormat,
    name: conversion.name,
    sourceSize: conversion.sourceSize,
    createdAt: new Date(conversion.createdAt).toISOString(),
    outputSize: conversion.outputSize,
    outputFileId: conversion.outputKey,
    outputUrl,
    queuePosition,
    completedAt: completedAt === undefined ? undefined : new Date(completedAt).toISOString(),
    error: conversion.error ?? null,
  }
}

/** Adds the download URL or the place. @param by What the URL names: the conversion, or the key of its result. */
export async function linkConversion(
  { config, tokens, scheduler }: Kernel,
  ctx: Context,
  conversion: Conversion,
  by: 'id' | 'outputKey' = 'id',
): Promise<LinkedConversion> {
  const { owner, outputKey, [by]: name } = conversion
  if (conversion.status === 'queued') return { conversion, queuePosition: scheduler.place(conversion.id) }
  if (!outputKey || !name) return { conversion }
  return { conversion, outputUrl: downloadUrl(baseUrl(config, ctx), name, await tokens.sign(owner, outputKey)) }
}

const downloadUrl = (base: string, name: string, token: string) =>
  `${base}/api/files/${encodeURIComponent(name)}/download?token=${token}`

const sampleConversion = ({ from, to }: SamplePair): LinkedConversion => {
  const id = `conv_${sampleId('6')}`
  return {
    conversion: {
      id,
      owner: 'guest',
      status: 'completed',
      progress: 100,
      fromFormat: from.extension,
      toFormat: to.extension,
      name: 'photo',
      sourceSize: 18_234,
      outputKey: `outputs/2026/11/21/${sampleId('6')}/photo.${to.extension}`,
      outputSize: 9120,
      createdAt: SAMPLE_TIME,
      completedAt: SAMPLE_TIME + 1250,
    },
    outputUrl: downloadUrl('https://files.example', id, 'eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl'),
  }
}

const conversionResponse = envelope(
  record({ conversion: reference('Conversion') }),
  (result: LinkedConversion) => ({ conversion: conversionRecord(result) }),
  sampleConversion,
)

const conversionList = envelope(
  record({ conversions: list('Conversion'), nextCursor }),
  ({ conversions, nextCursor }: { conversions: LinkedConversion[]; nextCursor: string | null }) => ({
    conversions: conversions.map(conversionRecord),
    nextCursor,
  }),
)

export const conversions: Resource = {
  tag: 'Conversions',
  schemas: {
    ConversionStatus: text('Ends as `completed` or `failed`.', { enum: STATUSES }),
    ConversionError: record({ code: text('Why it failed.', { enum: FAILURES }), message: text('One sentence.') }),
    Conversion: record(
      {
        id: text('Id.'),
        status: reference('ConversionStatus'),
        progress: count('Percent; never falls.', { maximum: 100 }),
        queuePosition: count('Place in the queue; 1 is first.'),
        fromFormat: text('Source format.'),
        toFormat: text('Target format.'),
        name: text('Source name without extension.'),
        sourceSize: count('Bytes of the source.'),
        outputFileId: text('Storage key of the result.'),
        outputUrl: text('URL of the result; works for some minutes.', { format: 'uri' }),
        outputSize: count('Bytes of the result.'),
        createdAt: time('When it was requested.'),
        completedAt: time('When it was completed.'),
        error: { oneOf: [reference('ConversionError'), { type: 'null' }], description: 'Null unless it failed.' },
      },
      ['queuePosition', 'outputFileId', 'outputUrl', 'outputSize', 'completedAt'],
    ),
  },
  endpoints: [
    endpoint('GET', '/api/conversions', {
      id: 'listConversions',
      authentication: 'optional',
      rate: 'none',
      forTeams: true,
      summary: 'List your conversions',
      description: 'Shows the newest first. Send `nextCursor` as `cursor` to get the next page.',
      query: {
        type: 'object',
        properties: {
          status: { type: 'string', enum: STATUSES, description: 'Only conversions with this status.' },
          limit,
          cursor,
        },
      },
      answer: ok('A page.', conversionList),
      refusals: ['NOT_FOUND'],
      handle: async (kernel, { ctx, owner, query }) => {
        const { conversions, nextCursor } = await kernel.conversions.list(owner, { limit: PAGE, ...query })
        return {
          conversions: await Promise.all(conversions.map((each) => linkConversion(kernel, ctx, each))),
          nextCursor,
        }
      },
    }),
    endpoint('GET', '/api/conversions/:id', {
      id: 'getConversion',
      authentication: 'optional',
      rate: 'none',
      polled: true,
      summary: 'Show a conversion',
      description:
        'Poll every 2 to 5 seconds until it ends. With `wait`, the answer comes at its end, or after that many seconds. Every answer has a new `outputUrl`.',
      query: {
        type: 'object',
        properties: {
          wait: {
            type: 'integer',
            minimum: 0,
            maximum: 30,
            default: 0,
            description: 'Seconds to wait for its end.',
          },
        },
      },
      answer: ok('The conversion.', conversionResponse),
      refusals: ['NOT_FOUND'],
      handle: async (kernel, { ctx, params: { id }, owner, query: { wait } }) => {
        const conversion = wait
          ? await kernel.conversions.wait(owner, id, wait, untilGone(ctx))
          : await kernel.conversions.get(owner, id)
        return linkConversion(kernel, ctx, conversion)
      },
    }),
    endpoint('GET', '/api/conversions/:id/source', {
      id: 'getConversionSource',
      authentication: 'optional',
      rate: 'none',
      summary: 'Show the source of a conversion',
      description: 'Returns its upload, while that is kept. You can convert its `fileId` again.',
      answer: ok('The record.', fileResponse),
      refusals: ['NOT_FOUND'],
      handle: async ({ conversions, files }, { params, owner }) =>
        files.find(owner, await conversions.source(owner, params.id)),
    }),
    endpoint('DELETE', '/api/conversions/:id', {
      id: 'deleteConversion',
      authentication: 'optional',
      rate: 'requests',
      summary: 'Cancel or delete a conversion',
      description:
        'A pending conversion fails with `CANCELLED`; if it ran, it is charged. An ended one goes with its result.',
      answer: done,
      refusals: ['NOT_FOUND'],
      handle: ({ conversions }, { params, owner }) => conversions.remove(owner, params.id),
    }),
  ],
}
