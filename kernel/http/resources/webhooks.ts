import type { Owner } from '../../people/owner.ts'
import { EVENTS } from '../../webhooks/webhooks.ts'
import { created, done, endpoint, ok, type Resource } from '../endpoint.ts'
import { cursor, limit, PAGE } from '../request/paging.ts'
import type { ObjectSchema } from '../request/schema.ts'
import {
  deliveryList,
  deliveryResponse,
  sampleWebhook,
  secretResponse,
  webhookList,
  webhookResponse,
  webhookSchemas,
} from './webhook-records.ts'

const settings = {
  url: {
    type: 'string',
    minLength: 1,
    maxLength: 2048,
    description: 'Public http or https URL, without user name and password.',
  },
  events: {
    type: 'array',
    minItems: 1,
    maxItems: EVENTS.length,
    items: { type: 'string', enum: EVENTS },
    description: 'Types of events. Default: all.',
  },
  active: { type: 'boolean', default: true, description: 'Whether events are delivered.' },
} as const satisfies ObjectSchema['properties']

/** Whose webhooks they are: those of an account, or of the team that the request is for. */
const ownerOf = ({ id, team }: Owner) => team?.id ?? id

/** What all operations about webhooks share. */
const shared = { authentication: 'account', rate: 'requests', forTeams: true } as const

export const webhooks: Resource = {
  tag: 'Webhooks',
  schemas: webhookSchemas,
  endpoints: [
    endpoint('GET', '/api/webhooks', {
      id: 'listWebhooks',
      ...shared,
      summary: 'List your webhooks',
      description: 'Shows them without their secrets.',
      answer: ok('All of them.', webhookList),
      refusals: ['NOT_FOUND'],
      handle: ({ webhooks }, { owner }) => webhooks.list(ownerOf(owner)),
    }),
    endpoint('POST', '/api/webhooks', {
      id: 'createWebhook',
      ...shared,
      summary: 'Create a webhook',
      description:
        'Events are posted to its URL and signed as [Standard Webhooks](https://www.standardwebhooks.com). Only this answer has the secret.',
      body: { type: 'object', required: ['url'], properties: settings },
      example: () => ({ url: sampleWebhook().url, events: [EVENTS[0]] }),
      answer: created('The webhook.', secretResponse, ({ webhook }) => `/api/webhooks/${webhook.id}`),
      refusals: ['URL_NOT_ALLOWED', 'FORBIDDEN', 'NOT_FOUND'],
      handle: async ({ webhooks, log }, { owner, body }) => {
        const made = await webhooks.create(ownerOf(owner), body)
        log.info({ webhook: made.webhook.id }, 'webhook made')
        return made
      },
    }),
    endpoint('GET', '/api/webhooks/:id', {
      id: 'getWebhook',
      ...shared,
      summary: 'Show a webhook',
      description: 'Shows it without its secret.',
      answer: ok('The webhook.', webhookResponse),
      refusals: ['NOT_FOUND'],
      handle: ({ webhooks }, { owner, params: { id } }) => webhooks.get(ownerOf(owner), id),
    }),
    endpoint('PATCH', '/api/webhooks/:id', {
      id: 'changeWebhook',
      ...shared,
      summary: 'Change a webhook',
      description: 'Fields that are left out stay as they are.',
      body: { type: 'object', properties: settings },
      example: () => ({ active: false }),
      answer: ok('The webhook.', webhookResponse),
      refusals: ['URL_NOT_ALLOWED', 'NOT_FOUND'],
      handle: ({ webhooks }, { owner, params: { id }, body }) => webhooks.change(ownerOf(owner), id, body),
    }),
    endpoint('DELETE', '/api/webhooks/:id', {
      id: 'deleteWebhook',
      ...shared,
      summary: 'Delete a webhook',
      description: 'Its deliveries go, too.',
      answer: done,
      refusals: ['NOT_FOUND'],
      handle: ({ webhooks }, { owner, params: { id } }) => webhooks.remove(ownerOf(owner), id),
    }),
    endpoint('POST', '/api/webhooks/:id/rotate', {
      id: 'rotateWebhook',
      ...shared,
      summary: 'Make a new secret for a webhook',
      description: 'For 24 hours, the secret before signs too, so that your server can change over.',
      answer: ok('The webhook with its new secret.', secretResponse),
      refusals: ['NOT_FOUND'],
      handle: ({ webhooks }, { owner, params: { id } }) => webhooks.rotate(ownerOf(owner), id),
    }),
    endpoint('POST', '/api/webhooks/:id/test', {
      id: 'testWebhook',
      ...shared,
      summary: 'Send a test event',
      description: 'Its type is `test`. The deliveries show how it ended.',
      answer: { status: 202, description: 'It is on its way.', body: deliveryResponse },
      refusals: ['NOT_FOUND'],
      handle: ({ webhooks }, { owner, params: { id } }) => webhooks.test(ownerOf(owner), id),
    }),
    endpoint('GET', '/api/webhooks/:id/deliveries', {
      id: 'listWebhookDeliveries',
      ...shared,
      summary: 'List deliveries to a webhook',
      description: 'Shows the newest first, for a week.',
      query: { type: 'object', properties: { limit, cursor } },
      answer: ok('A page.', deliveryList),
      refusals: ['NOT_FOUND'],
      handle: ({ webhooks }, { owner, params: { id }, query }) =>
        webhooks.deliveries(ownerOf(owner), id, { limit: PAGE, ...query }),
    }),
  ],
}
