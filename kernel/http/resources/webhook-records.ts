import type { DeliveryRow } from '../../database/tables/webhook-deliveries.ts'
import type { WebhookRow } from '../../database/tables/webhooks.ts'
import { EVENTS } from '../../webhooks/webhooks.ts'
import {
  count,
  flag,
  list,
  nextCursor,
  orNull,
  record,
  reference,
  text,
  texts,
  time,
  timeOf,
} from '../answer/response-schema.ts'
import { envelope } from '../answer/shape.ts'
import { SAMPLE_TIME, sampleId } from '../openapi/sample-pair.ts'

/** The part of a webhook that clients see: never its secret. */
type ShownWebhook = Pick<WebhookRow, 'id' | 'url' | 'events' | 'active' | 'created_at'>

const webhookRecord = ({ id, url, events, active, created_at }: ShownWebhook) => ({
  id,
  url,
  events: events.split(' '),
  active: Boolean(active),
  createdAt: timeOf(created_at),
})

const deliveryRecord = (row: DeliveryRow) => ({
  id: row.id,
  type: row.type,
  subject: row.subject,
  status: row.status,
  attempts: row.attempts,
  lastStatus: row.last_status,
  lastError: row.last_error,
  createdAt: timeOf(row.created_at),
  nextAttemptAt: timeOf(row.next_at),
})

export const sampleWebhook = (): ShownWebhook => ({
  id: `hook_${sampleId('7')}`,
  url: 'https://automation.example/athanor',
  events: EVENTS.join(' '),
  active: 1,
  created_at: SAMPLE_TIME,
})

const sampleDelivery = (): DeliveryRow => ({
  id: `msg_${sampleId('8')}`,
  webhook: sampleWebhook().id,
  type: 'conversion.completed',
  subject: `conv_${sampleId('6')}`,
  data: '{}',
  status: 'pending',
  attempts: 1,
  last_status: 503,
  last_error: 'The server answered 503',
  created_at: SAMPLE_TIME,
  next_at: SAMPLE_TIME + 5400,
  expires_at: SAMPLE_TIME,
  traceparent: null,
  tracestate: null,
})

export const webhookResponse = envelope(
  record({ webhook: reference('Webhook') }),
  (webhook: ShownWebhook) => ({ webhook: webhookRecord(webhook) }),
  sampleWebhook,
)

export const secretResponse = envelope(
  record({ webhook: reference('Webhook'), secret: text('Signs the events; it is not shown again.') }),
  ({ webhook, secret }: { webhook: ShownWebhook; secret: string }) => ({ webhook: webhookRecord(webhook), secret }),
  () => ({ webhook: sampleWebhook(), secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' }),
)

export const webhookList = envelope(record({ webhooks: list('Webhook') }), (webhooks: readonly ShownWebhook[]) => ({
  webhooks: webhooks.map(webhookRecord),
}))

export const deliveryResponse = envelope(
  record({ delivery: reference('WebhookDelivery') }),
  (delivery: DeliveryRow) => ({
    delivery: deliveryRecord(delivery),
  }),
)

export const deliveryList = envelope(
  record({ deliveries: list('WebhookDelivery'), nextCursor }),
  ({ deliveries, nextCursor }: { deliveries: readonly DeliveryRow[]; nextCursor: string | null }) => ({
    deliveries: deliveries.map(deliveryRecord),
    nextCursor,
  }),
  () => ({ deliveries: [sampleDelivery()], nextCursor: null }),
)

/** Schemas of webhooks as clients see them. */
export const webhookSchemas = {
  Webhook: record({
    id: text('Id.'),
    url: text('Where events are posted.', { format: 'uri' }),
    events: texts('Types of events.'),
    active: flag('Whether events are delivered. False also after the server answered 410.'),
    createdAt: time('When it was created.'),
  }),
  WebhookDelivery: record({
    id: text('The `webhook-id` of each attempt.'),
    type: text('Type of the event.'),
    subject: text('Id of the conversion or batch.'),
    status: text('`failed` after the last attempt.', { enum: ['pending', 'delivered', 'failed'] }),
    attempts: count('Attempts so far.'),
    lastStatus: orNull(count('HTTP status of the last attempt; null if there was no answer.')),
    lastError: orNull(text('Why the last attempt failed.')),
    createdAt: time('When the event happened.'),
    nextAttemptAt: orNull(time('When it is tried next.')),
  }),
}
