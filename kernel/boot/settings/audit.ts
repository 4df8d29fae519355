import type { Database } from '../../database/database.ts'
import { newId } from '../../database/ids.ts'
import { type AuditRow, insertAudit } from '../../database/tables/audit.ts'
import { transact } from '../../database/transact.ts'

/** The action by which an operator asks the service to cancel the conversion that is its subject. */
export const CANCEL = 'conversion.cancel'

/** What an operator changed. */
interface AuditedChange extends Pick<AuditRow, 'actor' | 'action' | 'subject'> {
  /** Default: a new one. */
  id?: string
  /** The new values; never a secret. */
  details: Record<string, unknown>
}

/** Makes a change and its audit row: both are there, or neither. */
export const audited = <T>(
  database: Database,
  { details, ...change }: AuditedChange,
  make: (transaction: Database) => Promise<T>,
): Promise<T> =>
  transact(database, async (transaction) => {
    const made = await make(transaction)
    await insertAudit(transaction, { id: newId(), ...change, at: Date.now(), details: JSON.stringify(details) })
    return made
  })
