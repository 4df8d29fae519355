import type { Knex } from 'knex'
import type { Database } from '../database/database.ts'
import { newId } from '../database/ids.ts'

/** What an operator changed. */
export interface Change {
  /** Login name on the machine. */
  actor: string
  /** `user.create`, `tool.disable` … */
  action: string
  /** What was changed: an address, a slug. */
  subject: string
  /** The new values; never a secret. */
  details: Record<string, unknown>
}

/** A row of the table `audit`. */
export interface AuditRow extends Omit<Change, 'details'> {
  id: string
  /** Epoch milliseconds. */
  at: number
  /** JSON. */
  details: string
}

/** Milliseconds that the audit trail is kept: 400 days. */
const KEPT = 400 * 86_400_000

/** Makes a change and its audit line: both are there, or neither. */
export async function audited<T>(
  database: Database,
  change: Change,
  make: (transaction: Knex.Transaction) => Promise<T>,
): Promise<T> {
  return database.transaction(async (transaction) => {
    const made = await make(transaction)
    await transaction<AuditRow>('audit').insert({
      ...change,
      id: newId(),
      at: Date.now(),
      details: JSON.stringify(change.details),
    })
    return made
  })
}

/** Audit lines later than one, oldest first, at most 100. */
export const auditAfter = (database: Database, id: string): Promise<AuditRow[]> =>
  database<AuditRow>('audit').where('id', '>', id).orderBy('id').limit(100)

/** Removes at most `limit` lines that are older than they are kept; resolves to their number. */
export async function sweepAudit(database: Database, now: number, limit: number): Promise<number> {
  const old = await database<AuditRow>('audit')
    .where('at', '<=', now - KEPT)
    .orderBy('at')
    .limit(limit)
    .select('id')
  for (const { id } of old) await database('audit').where({ id }).delete()
  return old.length
}

/** Which changes are meant. */
export interface AuditFilter {
  actor?: string
  /** `user.set`, or `user` for all that begin so. */
  action?: string
  subject?: string
  /** Epoch milliseconds. */
  since: number
  /** The newest so many. */
  limit: number
}

/** Changes, oldest first. */
export async function listAudit(database: Database, filter: AuditFilter): Promise<AuditRow[]> {
  const { actor, action, subject, since, limit } = filter
  const query = database<AuditRow>('audit').where('at', '>=', since).orderBy('id', 'desc').limit(limit)
  if (actor !== undefined) query.andWhere({ actor })
  if (subject !== undefined) query.andWhere({ subject })
  if (action?.includes('.')) query.andWhere({ action })
  else if (action !== undefined) query.andWhere('action', '>=', `${action}.`).andWhere('action', '<', `${action}/`)
  return (await query).reverse()
}
