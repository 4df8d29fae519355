import type { Readable } from 'node:stream'
import type { Kernel } from '../../boot/kernel.ts'
import { ServiceError } from '../../errors.ts'
import { type Topic, USAGE } from '../../events/news.ts'
import { batchRecord, type Conversion, conversionRecord } from '../../jobs/records.ts'
import { type Owner, ownersSeenBy } from '../../people/owner.ts'
import { type StreamEvent, writeEvents } from '../answer/event-stream.ts'
import { untilGone, untilTurn } from '../connection/client-gone.ts'
import type { StreamReader, Streams } from '../connection/streams.ts'
import type { Context } from '../context.ts'
import { endpoint, type Input, type Resource, SENT } from '../endpoint.ts'
import { inMaintenance } from '../guards.ts'
import { actingOwner, credentialsOf } from '../identity/identity.ts'
import { linkBatch } from './batches.ts'
import { linkConversion } from './conversion-record.ts'

/** Conversions that a new stream begins with. */
const NEWEST = 100

const declared = {
  authentication: 'optional',
  rate: 'none',
  parameters: [{ name: 'last-event-id', in: 'header', description: 'The last event that you have.' }],
  answer: { status: 200, description: 'The events.', media: 'text/event-stream' },
  refusals: ['NOT_FOUND'],
} as const

export const events: Resource = {
  tag: 'Conversions',
  endpoints: [
    endpoint('GET', '/api/events', {
      ...declared,
      id: 'streamEvents',
      forTeams: true,
      summary: 'Stream events',
      description:
        'Server-sent events `conversion`, `batch` (without its conversions) and `usage`. Begins with your 100 ' +
        'newest conversions, or with what changed since `last-event-id`.',
      query: {
        type: 'object',
        properties: {
          conversion: { type: 'string', minLength: 1, description: 'Only this conversion.' },
          batch: { type: 'string', minLength: 1, description: 'Only this batch and its conversions.' },
        },
      },
      handle: (kernel, { ctx, owner, query }, { streams }) => sendEvents(kernel, streams, { ctx, owner }, query),
    }),
    endpoint('GET', '/api/conversions/:id/events', {
      ...declared,
      id: 'streamConversionEvents',
      summary: 'Stream the events of a conversion',
      description: 'As `GET /api/events?conversion=…`.',
      handle: (kernel, { ctx, params, owner }, { streams }) =>
        sendEvents(kernel, streams, { ctx, owner }, { conversion: params.id }),
    }),
  ],
}

/** To what the client narrows the stream. */
type Narrowed = Pick<Topic, 'conversion' | 'batch'>

/** Who asks. With `x-team-id`, the owner is the one for that team. */
type Client = Pick<Input<string, 'optional', never, never>, 'ctx' | 'owner'>

async function sendEvents(kernel: Kernel, streams: Streams, client: Client, narrowed: Narrowed): Promise<typeof SENT> {
  const { ctx, owner } = client
  if (narrowed.conversion !== undefined && narrowed.batch !== undefined) {
    throw new ServiceError('BAD_REQUEST', 'conversion must not be given together with batch')
  }
  const owners = await ownersOf(kernel, owner, narrowed)
  if (ctx.method === 'HEAD') return respond(ctx)
  const gone = untilGone(ctx)
  await untilTurn(ctx, gone)
  const signal = streams.open(readerOf(kernel, client), gone)
  // The usage of a team is that of the member who pays.
  const usage = !narrowed.conversion && !narrowed.batch && !owner.team && !owner.shared
  const last = ctx.req.headers['last-event-id'] as string | undefined
  const { inbox, resumed } = kernel.news.open({ owners, ...narrowed, usage }, last, signal)
  // The changes are followed already, so none in between is missed.
  inbox.begin([...(usage ? [USAGE] : []), ...(resumed ? [] : await firstOf(kernel, owner, narrowed))])
  const { streamComment: comment } = kernel.config.http
  const read = (name: string) => readEvent(kernel, client, name)
  return respond(ctx, writeEvents(inbox, read, { idOf: kernel.news.idOf, comment, signal }))
}

/** Returns the owners of the records that the stream is about. @throws ServiceError NOT_FOUND. */
async function ownersOf(kernel: Kernel, owner: Owner, { conversion, batch }: Narrowed): Promise<readonly string[]> {
  if (conversion !== undefined) return [(await kernel.conversions.get(owner, conversion)).owner]
  if (batch !== undefined) return [(await kernel.batches.state(owner, batch)).owner]
  // Strangers may be the same guest.
  return owner.shared ? [] : ownersSeenBy(owner)
}

/** Returns the names that a stream begins with, if the client does not continue an earlier one. */
async function firstOf(kernel: Kernel, owner: Owner, { conversion, batch }: Narrowed): Promise<string[]> {
  const idsOf = (conversions: readonly Conversion[]) => conversions.map(({ id }) => id)
  if (conversion !== undefined) return [conversion]
  if (batch !== undefined) return [...idsOf((await kernel.batches.get(owner, batch)).conversions), batch]
  return idsOf((await kernel.conversions.list(owner, { limit: NEWEST })).conversions).reverse()
}

/** Resolves to the event of a name. Undefined: the record is gone. */
async function readEvent(kernel: Kernel, { ctx, owner }: Client, name: string): Promise<StreamEvent | undefined> {
  const event = (event: string, record: object) => ({ event, data: JSON.stringify(record) })
  try {
    if (name === USAGE) return event('usage', await kernel.usage(owner))
    if (name.startsWith('batch_')) {
      return event('batch', batchRecord(await linkBatch(kernel, ctx, await kernel.batches.state(owner, name))))
    }
    const conversion = await kernel.conversions.get(owner, name)
    return event('conversion', conversionRecord(await linkConversion(kernel, ctx, conversion)))
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'NOT_FOUND') return undefined
    throw error
  }
}

/** Sends the headers and the events. */
function respond(ctx: Context, events?: Readable): typeof SENT {
  const { res } = ctx
  ctx.status = 200
  res.setHeader('Content-Type', 'text/event-stream; charset=utf-8')
  res.setHeader('Cache-Control', 'no-cache, no-transform')
  // nginx would keep the events back until its buffer is full.
  res.setHeader('X-Accel-Buffering', 'no')
  if (events) ctx.body = events
  return SENT
}

/** The credential of a stream, and whether it still works. Guests have none. */
function readerOf(kernel: Kernel, { ctx, owner }: Client): StreamReader {
  const { team } = owner
  const credentials = credentialsOf(ctx)
  return {
    owner,
    credential: JSON.stringify([credentials, team?.id]),
    async check() {
      if (kernel.settings.maintenance) throw inMaintenance()
      if (!credentials) return
      await kernel.accounts.authenticate(credentials)
      if (team) await actingOwner(kernel, ctx)
    },
  }
}
