import type { TraceContext } from '../../tracing/trace-context.ts'
import type { Database } from '../database.ts'
import { newId } from '../ids.ts'
import { listSubscribed } from './webhooks.ts'

/** A row of the table `webhook_deliveries`: one event for one endpoint. */
export interface DeliveryRow {
  /** `msg_…`: the `webhook-id` of each attempt. */
  id: string
  webhook: string
  type: string
  /** Id of the conversion or batch. */
  subject: string
  /** JSON: the record when the event happened. */
  data: string
  status: 'pending' | 'delivered' | 'failed'
  attempts: number
  /** HTTP status of the last attempt; null: there was none, or no answer. */
  last_status: number | null
  /** Why the last attempt failed. */
  last_error: string | null
  /** Epoch milliseconds. */
  created_at: number
  /** When to try next; null: never. */
  next_at: number | null
  expires_at: number
  /** The place in a trace of what happened, as of `TraceContext`; null: none. */
  traceparent: string | null
  tracestate: string | null
}

/** Milliseconds for which deliveries are kept. The last attempt is about 32 hours after the first. */
const KEPT = 7 * 86_400_000

const deliveries = (database: Database) => database<DeliveryRow>('webhook_deliveries')

/** Something that happened to an owner's conversion or batch. */
interface HappenedEvent {
  owner: string
  type: string
  /** Id of the conversion or batch. */
  subject: string
  /** The record, as clients see it. */
  data: object
  /** Where it happened in a trace. */
  trace: TraceContext | undefined
}

/** Records an event for each endpoint that gets it, in the transaction in which it happens. Records it only once. */
export async function recordEvent(transaction: Database, { owner, ...event }: HappenedEvent): Promise<void> {
  // Guests have no endpoints.
  if (owner.startsWith('guest_')) return
  for (const webhook of await listSubscribed(transaction, owner, event.type)) {
    await insertDelivery(transaction, { webhook, ...event })
  }
}

/** Records an event for one endpoint. Resolves to its id. */
export async function insertDelivery(
  transaction: Database,
  { webhook, type, subject, data, trace }: Omit<HappenedEvent, 'owner'> & { webhook: string },
): Promise<string> {
  const id = newId('msg_')
  const now = Date.now()
  const times = { created_at: now, next_at: now, expires_at: now + KEPT }
  const nothing = { attempts: 0, last_status: null, last_error: null }
  const row = { id, webhook, type, subject, data: JSON.stringify(data), status: 'pending' as const }
  await deliveries(transaction)
    .insert({ ...row, ...nothing, ...times, ...trace })
    .onConflict(['webhook', 'subject', 'type'])
    .ignore()
  return id
}

/** Lists deliveries whose time has come, the oldest first. @param except Endpoints that are busy. */
export const listDue = (
  database: Database,
  now: number,
  { limit, except }: { limit: number; except: readonly string[] },
): Promise<DeliveryRow[]> =>
  deliveries(database).where('next_at', '<=', now).whereNotIn('webhook', except).orderBy('next_at').limit(limit)

/** Epoch milliseconds of the next attempt; undefined: there is none to come. */
export async function findNextDue(database: Database): Promise<number | undefined> {
  const row = await deliveries(database).whereNotNull('next_at').orderBy('next_at').first('next_at')
  return row ? Number(row.next_at) : undefined
}

/** Claims an attempt until `until`. Resolves to false if another node was faster. */
export const claimDelivery = async (
  database: Database,
  { id, next_at }: Pick<DeliveryRow, 'id' | 'next_at'>,
  until: number,
): Promise<boolean> => (await deliveries(database).where({ id, next_at }).update({ next_at: until })) > 0

/** Records how an attempt ended. */
export async function updateDelivery(database: Database, id: string, change: Partial<DeliveryRow>): Promise<void> {
  await deliveries(database).where({ id }).update(change)
}

/** Ends the pending deliveries of an endpoint that gets no more. */
export async function giveUpDeliveries(database: Database, webhook: string): Promise<void> {
  await deliveries(database).where({ webhook, status: 'pending' }).update({ status: 'failed', next_at: null })
}

/** Lists the last deliveries to an endpoint, newest first. */
export const listDeliveries = (
  database: Database,
  webhook: string,
  { limit, before }: { limit: number; before?: string },
): Promise<DeliveryRow[]> => {
  const rows = deliveries(database).where({ webhook }).orderBy('id', 'desc').limit(limit)
  return before === undefined ? rows : rows.andWhere('id', '<', before)
}

export const findDelivery = (database: Database, id: string): Promise<DeliveryRow | undefined> =>
  deliveries(database).where({ id }).first()
