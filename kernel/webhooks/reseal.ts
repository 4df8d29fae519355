import type { Database } from '../database/database.ts'
import { listAllWebhooks, replaceSealed } from '../database/tables/webhooks.ts'
import { createSeal, type Seal } from '../imports/seal.ts'
import type { Secrets } from '../people/secret.ts'

/** Number of endpoints per page. */
const PAGE = 500

/** The seal of the endpoints' secrets. The place is the endpoint's id. */
export const createWebhookSeal = (secrets: Secrets): Seal => createSeal(secrets, 'athanor:webhooks')

/** Seals all secrets of endpoints again that a previous secret of the service sealed. */
export async function resealWebhooks(database: Database, seal: Seal): Promise<void> {
  for (let last = ''; ; ) {
    const page = await listAllWebhooks(database, last, PAGE)
    for (const row of page) {
      const secret = seal.renew(row.secret, row.id)
      const old_secret = row.old_secret === null ? undefined : seal.renew(row.old_secret, row.id)
      const sealed = { ...(secret && { secret }), ...(old_secret && { old_secret }) }
      if (secret || old_secret) await replaceSealed(database, row, sealed)
    }
    const end = page.at(-1)
    if (!end || page.length < PAGE) return
    last = end.id
  }
}
