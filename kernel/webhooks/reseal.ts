import type { Database } from '../database/database.ts'
import { listAllWebhooks, replaceSealed } from '../database/tables/webhooks.ts'
import { createSeal, type Seal } from '../people/seal.ts'
import type { Secrets } from '../people/secret.ts'

/** The seal of the endpoints' secrets. The place is the endpoint's id. */
export const createWebhookSeal = (secrets: Secrets): Seal => createSeal(secrets, 'athanor:webhooks')

/** Seals all secrets of endpoints again that a previous secret of the service sealed. */
export async function resealWebhooks(database: Database, seal: Seal): Promise<void> {
  for (const row of await listAllWebhooks(database)) {
    const secret = seal.renew(row.secret, row.id)
    const old_secret = row.old_secret === null ? undefined : seal.renew(row.old_secret, row.id)
    const sealed = { ...(secret && { secret }), ...(old_secret && { old_secret }) }
    if (secret || old_secret) await replaceSealed(database, row, sealed)
  }
}
