import { CONVERSION_STATUSES } from '../../database/tables/conversions.ts'
import { conversionRecord, type LinkedConversion } from '../../jobs/records.ts'
import { list, nextCursor, record, reference } from '../answer/response-schema.ts'
import { envelope } from '../answer/shape.ts'
import { untilGone } from '../connection/client-gone.ts'
import { done, endpoint, ok, type Resource } from '../endpoint.ts'
import { cursor, limit, PAGE } from '../request/paging.ts'
import { conversionSchemas, linkConversion, sampleConversion } from './conversion-record.ts'
import { reportResponse, reportSchemas } from './conversion-report.ts'
import { fileResponse } from './files.ts'

/** The query of requests that wait for the end of a conversion. Both in seconds. */
export const waitQuery = (maximum: number, usual: number) =>
  ({
    type: 'object',
    properties: {
      wait: { type: 'integer', minimum: 0, maximum, default: usual, description: 'Seconds to wait for its end.' },
    },
  }) as const

export const conversionResponse = envelope(
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
  schemas: { ...conversionSchemas, ...reportSchemas },
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
          status: { type: 'string', enum: CONVERSION_STATUSES, description: 'Only conversions with this status.' },
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
      query: waitQuery(30, 0),
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
    endpoint('GET', '/api/conversions/:id/report', {
      id: 'getConversionReport',
      authentication: 'optional',
      rate: 'none',
      summary: 'Show how a file was converted',
      description: 'Engines, resources, both files and losses, as far as they are known.',
      answer: ok('The report.', reportResponse),
      refusals: ['NOT_FOUND'],
      handle: ({ conversions }, { params, owner }) => conversions.report(owner, params.id),
    }),
    endpoint('DELETE', '/api/conversions/:id', {
      id: 'deleteConversion',
      authentication: 'optional',
      rate: 'requests',
      summary: 'Cancel or delete a conversion',
      description:
        'A pending conversion fails with `CANCELLED`; if it ran for more than a second, it is charged. An ended one goes with its result.',
      answer: done,
      refusals: ['NOT_FOUND'],
      handle: ({ conversions }, { params, owner }) => conversions.remove(owner, params.id),
    }),
  ],
}
