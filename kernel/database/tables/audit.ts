import type { Database } from '../database.ts'

/** A row of the table `audit`: a change by an operator, or what one asks of the services (boot/settings). */
export interface AuditRow {
  /** Ids sort by time. */
  id: string
  /** Epoch milliseconds. */
  at: number
  /** Login name of the operator on the machine. */
  actor: string
  /** `user.create`, `tool.disable` … */
  action: string
  /** The changed thing: an address, a slug. */
  subject: string
  /** The new values as JSON, without secrets. */
  details: string
}

/** Filter for rows. */
export interface AuditFilter {
  actor?: string
  /** `user.set`, or `user` for all actions that begin with it. */
  action?: string
  subject?: string
  /** Epoch milliseconds. */
  since: number
  /** Maximum number of rows; the newest ones. */
  limit: number
}

const audit = (database: Database) => database<AuditRow>('audit')

export async function insertAudit(database: Database, row: AuditRow): Promise<void> {
  await audit(database).insert(row)
}

/** Lists rows after one, oldest first. */
export const listAuditAfter = (database: Database, id: string, limit: number): Promise<AuditRow[]> =>
  audit(database).where('id', '>', id).orderBy('id').limit(limit)

/** Lists rows, oldest first. */
export async function listAudit(database: Database, filter: AuditFilter): Promise<AuditRow[]> {
  const { actor, action, subject, since, limit } = filter
  const query = audit(database).where('at', '>=', since).orderBy('id', 'desc').limit(limit)
  if (actor !== undefined) query.andWhere({ actor })
  if (subject !== undefined) query.andWhere({ subject })
  if (action?.includes('.')) query.andWhere({ action })
  else if (action !== undefined) query.andWhere('action', '>=', `${action}.`).andWhere('action', '<', `${action}/`)
  return (await query).reverse()
}
