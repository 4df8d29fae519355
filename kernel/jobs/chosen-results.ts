import { newId } from '../database/ids.ts'
import { insertBatch } from '../database/tables/batches.ts'
import { listConversionsWithIds, PENDING } from '../database/tables/conversions.ts'
import { ServiceError } from '../errors.ts'
import type { Owner } from '../people/owner.ts'
import type { JobNeeds } from './needs.ts'

/** A batch of conversions that had ended before. */
export interface Chosen {
  id: string
  owner: string
  /** Ids that are not in it: these conversions do not exist, have expired, or have not ended. */
  missing: string[]
}

/**
 * Makes a batch of conversions that have ended, however they were started, so that their results come as one ZIP. It
 * expires with its download link.
 *
 * @throws ServiceError NOT_FOUND if none of them has ended; also for conversions of other owners.
 */
export type Choose = (owner: Owner, ids: readonly string[]) => Promise<Chosen>

export function createChoose({ config, database, teams }: JobNeeds): Choose {
  return async function choose(owner, ids) {
    const asked = [...new Set(ids)]
    const rows = await listConversionsWithIds(database, asked)
    const now = Date.now()
    const seen = new Map<string, boolean>()
    const found = new Map<string, 'completed' | 'failed'>()
    for (const row of rows) {
      if (PENDING.includes(row.status) || (row.expires_at ?? Infinity) <= now) continue
      if (!seen.has(row.owner)) seen.set(row.owner, await teams.sees(owner, row.owner))
      if (seen.get(row.owner)) found.set(row.id, row.status as 'completed' | 'failed')
    }
    if (!found.size) {
      throw new ServiceError('NOT_FOUND', 'conversionIds: none of these conversions exists and has ended')
    }
    const total = found.size
    const statuses = [...found.values()]
    const completed = statuses.filter((status) => status === 'completed').length
    const id = newId('batch_')
    await insertBatch(database, {
      starting: 0,
      id,
      owner: owner.id,
      total,
      completed,
      failed: total - completed,
      created_at: now,
      expires_at: now + config.downloads.tokenLifetime,
      chosen: [...found.keys()].join(' '),
    })
    return { id, owner: owner.id, missing: asked.filter((each) => !found.has(each)) }
  }
}
