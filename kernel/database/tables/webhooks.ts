import type { Database } from '../database.ts'
import { countRows } from '../rows.ts'

/** A row of the table `webhooks`: an endpoint of an owner, to which events are delivered. */
export interface WebhookRow {
  /** `hook_…` */
  id: string
  /** The account or team whose events it gets. */
  owner: string
  url: string
  /** Types of events, separated by spaces. */
  events: string
  /** Sealed. */
  secret: string
  /** Sealed: the one before, which signs too until `old_until`. */
  old_secret: string | null
  /** Epoch milliseconds. */
  old_until: number | null
  active: number
  created_at: number
}

const webhooks = (database: Database) => database<WebhookRow>('webhooks')

export async function insertWebhook(database: Database, row: WebhookRow): Promise<void> {
  await webhooks(database).insert(row)
}

/** Lists the endpoints of all owners. */
export const listAllWebhooks = (database: Database): Promise<WebhookRow[]> => webhooks(database).select('*')

/** Changes the sealed secrets of an endpoint that has not changed since it was read. */
export async function replaceSealed(
  database: Database,
  { id, secret }: WebhookRow,
  sealed: Partial<Pick<WebhookRow, 'secret' | 'old_secret'>>,
): Promise<void> {
  await webhooks(database).where({ id, secret }).update(sealed)
}

/** Lists an owner's endpoints, oldest first. */
export const listWebhooks = (database: Database, owner: string): Promise<WebhookRow[]> =>
  webhooks(database).where({ owner }).orderBy('id')

export const countWebhooks = (database: Database, owner: string): Promise<number> =>
  countRows(webhooks(database).where({ owner }))

export const findWebhook = (database: Database, id: string): Promise<WebhookRow | undefined> =>
  webhooks(database).where({ id }).first()

export async function updateWebhook(
  database: Database,
  id: string,
  change: Partial<Omit<WebhookRow, 'id' | 'owner'>>,
): Promise<void> {
  await webhooks(database).where({ id }).update(change)
}

/** Removes an endpoint with its deliveries. */
export async function deleteWebhook(database: Database, id: string): Promise<void> {
  await database('webhook_deliveries').where({ webhook: id }).delete()
  await webhooks(database).where({ id }).delete()
}

/** Removes all endpoints of an owner with their deliveries. */
export async function deleteWebhooksOf(database: Database, owner: string): Promise<void> {
  for (const { id } of await listWebhooks(database, owner)) await deleteWebhook(database, id)
}

/** Lists the endpoints that get an event. */
export async function listSubscribed(database: Database, owner: string, type: string): Promise<string[]> {
  const rows = await webhooks(database).where({ owner, active: 1 }).select('id', 'events')
  return rows.filter(({ events }) => events.split(' ').includes(type)).map(({ id }) => id)
}
