import type { Logger } from 'pino'
import { logFailure } from '../database/absence.ts'
import type { Database } from '../database/database.ts'
import {
  claimDelivery,
  type DeliveryRow,
  findNextDue,
  giveUpDeliveries,
  listDue,
  updateDelivery,
} from '../database/tables/webhook-deliveries.ts'
import { findWebhook, updateWebhook, type WebhookRow } from '../database/tables/webhooks.ts'
import type { Client } from '../imports/client.ts'
import { traceHeaders, traceOf } from '../tracing/trace-context.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { afterAttempt, attempt } from './attempt.ts'

/** What works on the events of webhooks. */
export interface WebhookParts {
  database: Database
  log: Logger
  tracing: Tracing
  /** Aborts when the service stops. */
  signal: AbortSignal
}

/** Attempts at the same time, of one endpoint and of all. */
const MAX_OF_ONE = 4
const MAX_OF_ALL = 32

/** Milliseconds after which another node tries what a node has claimed. */
const CLAIMED = 60_000

/** Longest time between two looks at the table: another node may have recorded an event. */
const POLL_INTERVAL_MS = 30_000

/**
 * Delivers recorded events, until the signal aborts. An event whose attempt was cut off is tried again, with the same
 * id: a server may get it twice, and never not at all.
 */
export function createDeliverer(
  { database, log, tracing, signal }: WebhookParts,
  client: Client,
  {
    secretsOf,
    bodyOf,
  }: {
    /** Opens the secrets of an endpoint. */
    secretsOf: (row: WebhookRow) => string[]
    /** Makes the body of an event. */
    bodyOf: (row: DeliveryRow, webhook: WebhookRow) => Promise<string>
  },
) {
  /** Attempts under way, by endpoint. */
  const busy = new Map<string, number>()
  const running = new Set<Promise<void>>()
  let wake = Promise.withResolvers<void>()

  async function deliver(row: DeliveryRow): Promise<void> {
    const webhook = await findWebhook(database, row.webhook)
    if (!webhook?.active) return updateDelivery(database, row.id, { status: 'failed', next_at: null })
    const message = { id: row.id, body: await bodyOf(row, webhook), secrets: secretsOf(webhook) }
    const span = tracing.begin(`webhook ${row.type}`, { parent: traceOf(row), kind: 'client' })
    const outcome = await attempt(client, webhook.url, { ...message, headers: traceHeaders(span.context) }, signal)
    const { status = 0, error } = outcome
    span.end({
      attributes: { 'athanor.attempt': row.attempts + 1, 'http.response.status_code': status },
      error: error && `${status}`,
    })
    // What the end of the service has cut off is tried again at the next start.
    if (signal.aborted && outcome.error !== undefined) return updateDelivery(database, row.id, { next_at: Date.now() })
    await updateDelivery(database, row.id, afterAttempt(row, outcome, Date.now()))
    if (outcome.status !== 410) return
    await updateWebhook(database, webhook.id, { active: 0 })
    await giveUpDeliveries(database, webhook.id)
  }

  function begin(row: DeliveryRow): void {
    busy.set(row.webhook, (busy.get(row.webhook) ?? 0) + 1)
    const work = deliver(row)
      .catch((err) => logFailure(database, log, err, 'delivery of an event not recorded', { delivery: row.id }))
      .finally(() => {
        running.delete(work)
        const left = (busy.get(row.webhook) ?? 1) - 1
        if (left) busy.set(row.webhook, left)
        else busy.delete(row.webhook)
        wake.resolve()
      })
    running.add(work)
  }

  /** Begins what is due. Resolves to the milliseconds until there is more. */
  async function round(): Promise<number> {
    const except = [...busy].filter(([, count]) => count >= MAX_OF_ONE).map(([webhook]) => webhook)
    const limit = MAX_OF_ALL - running.size
    const due = limit > 0 ? await listDue(database, Date.now(), { limit, except }) : []
    for (const row of due) {
      if ((busy.get(row.webhook) ?? 0) >= MAX_OF_ONE) continue
      if (await claimDelivery(database, row, Date.now() + CLAIMED)) begin(row)
    }
    // The end of an attempt wakes the next round.
    if (running.size) return POLL_INTERVAL_MS
    return Math.max(0, ((await findNextDue(database)) ?? Number.POSITIVE_INFINITY) - Date.now())
  }

  async function run(): Promise<void> {
    signal.addEventListener('abort', () => wake.resolve())
    while (!signal.aborted) {
      wake = Promise.withResolvers()
      const rest = await round().catch((err) => {
        logFailure(database, log, err, 'events cannot be delivered now')
        return POLL_INTERVAL_MS
      })
      const timer = setTimeout(wake.resolve, Math.min(rest, POLL_INTERVAL_MS)).unref()
      await wake.promise
      clearTimeout(timer)
    }
    await Promise.all(running)
  }

  return {
    /** Looks at the table now: an event was recorded. */
    poke: () => wake.resolve(),
    ended: run(),
  }
}
