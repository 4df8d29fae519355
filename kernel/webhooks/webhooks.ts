import type { Config } from '../../config/config.ts'
import { cursorAfter, decodeCursor, newId } from '../database/ids.ts'
import {
  type DeliveryRow,
  findDelivery,
  insertDelivery,
  listDeliveries,
} from '../database/tables/webhook-deliveries.ts'
import {
  countWebhooks,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  updateWebhook,
  type WebhookRow,
} from '../database/tables/webhooks.ts'
import { ServiceError } from '../errors.ts'
import type { Changes } from '../events/changes.ts'
import { createClient } from '../imports/client.ts'
import { readTarget } from '../imports/target.ts'
import { type DownloadTokens, downloadUrl } from '../people/download-tokens.ts'
import type { Secrets } from '../people/secret.ts'
import { createDeliverer, type WebhookParts } from './deliverer.ts'
import { createWebhookSeal } from './reseal.ts'
import { newWebhookSecret } from './signature.ts'

/** Types of events. */
export const EVENTS = ['conversion.completed', 'conversion.failed', 'batch.completed'] as const

/** Maximum endpoints of an owner. */
const MAX_ENDPOINTS = 10

/** Milliseconds for which the secret before signs too. */
const ROTATION = 24 * 3600_000

/** What clients can set. */
interface WebhookSettings {
  url?: string
  events?: readonly string[]
  active?: boolean
}

/** Endpoints of owners, to which events are delivered. */
export type Webhooks = ReturnType<typeof createWebhooks>

export function createWebhooks(
  parts: WebhookParts & { config: Config; secrets: Secrets; tokens: DownloadTokens; changes: Changes },
) {
  const { config, database, tokens } = parts
  const client = createClient({ ...config.webhooks, nameServers: config.imports.nameServers })
  const seal = createWebhookSeal(parts.secrets)

  function secretsOf({ id, secret, old_secret, old_until }: WebhookRow): string[] {
    const sealed = [secret, ...(old_secret && Number(old_until) > Date.now() ? [old_secret] : [])]
    return sealed.map((text) => seal.open(text, id)).filter((text) => text !== undefined)
  }

  /** Links are valid for some minutes only, so each attempt has a new one. */
  async function bodyOf({ type, subject, data, created_at }: DeliveryRow, { owner }: WebhookRow): Promise<string> {
    const record = JSON.parse(data) as { outputFileId?: string }
    const timestamp = new Date(Number(created_at)).toISOString()
    if (config.publicUrl && record.outputFileId) {
      const token = await tokens.sign(owner, record.outputFileId)
      const outputUrl = downloadUrl(config.publicUrl, subject, token)
      return JSON.stringify({ type, timestamp, data: { ...record, outputUrl } })
    }
    return JSON.stringify({ type, timestamp, data: record })
  }

  const deliverer = createDeliverer(parts, client, { secretsOf, bodyOf })
  parts.changes.follow(({ owner, progress, begun }) => {
    // Guests have none.
    if (!owner.startsWith('guest_') && !progress && !begun) deliverer.poke()
  })

  /** @throws ServiceError NOT_FOUND, also for another owner's. */
  async function get(owner: string, id: string): Promise<WebhookRow> {
    const row = await findWebhook(database, id)
    if (row?.owner !== owner) throw noSuchWebhook()
    return row
  }

  function fieldsOf({ url, events, active }: WebhookSettings): Partial<WebhookRow> {
    const target = url === undefined ? undefined : readTarget(url, client.gate, 'url').href
    return {
      ...(target !== undefined && { url: target }),
      ...(events && { events: [...new Set(events)].join(' ') }),
      ...(active !== undefined && { active: active ? 1 : 0 }),
    }
  }

  return {
    list: (owner: string) => listWebhooks(database, owner),
    get,

    /** @throws ServiceError BAD_REQUEST, URL_NOT_ALLOWED, FORBIDDEN beyond the maximum. */
    async create(owner: string, { url, events = EVENTS, active = true }: WebhookSettings & { url: string }) {
      const fields = fieldsOf({ url, events, active })
      if ((await countWebhooks(database, owner)) >= MAX_ENDPOINTS) {
        throw new ServiceError('FORBIDDEN', `At most ${MAX_ENDPOINTS} webhooks are allowed; delete one first`)
      }
      const id = newId('hook_')
      const made = newWebhookSecret()
      const old = { old_secret: null, old_until: null }
      const row = { id, owner, secret: seal.close(made, id), ...old, ...fields, created_at: Date.now() } as WebhookRow
      await insertWebhook(database, row)
      return { webhook: row, secret: made }
    },

    /** @throws ServiceError NOT_FOUND, BAD_REQUEST, URL_NOT_ALLOWED. */
    async change(owner: string, id: string, settings: WebhookSettings) {
      const row = await get(owner, id)
      const fields = fieldsOf(settings)
      if (Object.keys(fields).length > 0) await updateWebhook(database, id, fields)
      return { ...row, ...fields }
    },

    /** Makes a new secret. The one before signs too, for a day. @throws ServiceError NOT_FOUND. */
    async rotate(owner: string, id: string) {
      const row = await get(owner, id)
      const made = newWebhookSecret()
      const fields = { secret: seal.close(made, id), old_secret: row.secret, old_until: Date.now() + ROTATION }
      await updateWebhook(database, id, fields)
      return { webhook: { ...row, ...fields }, secret: made }
    },

    /** Sends an event of the type `test`. @throws ServiceError NOT_FOUND. */
    async test(owner: string, id: string) {
      await get(owner, id)
      const subject = newId('test_')
      const made = await insertDelivery(database, {
        webhook: id,
        type: 'test',
        subject,
        data: { id: subject },
        trace: undefined,
      })
      const row = await findDelivery(database, made)
      deliverer.poke()
      if (!row) throw noSuchWebhook()
      return row
    },

    /** @throws ServiceError NOT_FOUND. */
    async remove(owner: string, id: string) {
      await get(owner, id)
      await deleteWebhook(database, id)
    },

    /** Lists deliveries, newest first. @throws ServiceError NOT_FOUND, BAD_REQUEST. */
    async deliveries(owner: string, id: string, { limit, cursor }: { limit: number; cursor?: string }) {
      await get(owner, id)
      const page = { limit: limit + 1, ...(cursor !== undefined && { before: decodeCursor(cursor) }) }
      const rows = await listDeliveries(database, id, page)
      return { deliveries: rows.slice(0, limit), nextCursor: cursorAfter(rows, limit) }
    },

    /** Delivers what is due now, without waiting for the next look at the table. */
    poke: deliverer.poke,
    /** Resolves when no delivery is under way any more, after the stop. */
    ended: deliverer.ended,
  }
}

const noSuchWebhook = () => new ServiceError('NOT_FOUND', 'There is no such webhook: it does not exist or is not yours')
