import { hostname } from 'node:os'
import type { Database } from '../../database/database.ts'
import { newId } from '../../database/ids.ts'
import { insertAudit, listAudit } from '../../database/tables/audit.ts'

/** What came of a reload. */
export interface ReloadOutcome {
  reloaded: boolean
  /** Changed keys that take effect at the next start. */
  needRestart?: string[]
  /** Why the old configuration stays in effect. */
  reason?: string
}

/** What came of a reload on one node. */
export interface ReloadAnswer extends ReloadOutcome {
  host: string
}

const ANSWERED = 'reload.answered'

/** Whether an action in the audit trail is the answer of a service, not a change by an administrator. */
export const isReloadAnswer = (action: string): boolean => action === ANSWERED

/** Writes an answer into the audit trail. @param request Id of the administrator's row. */
export async function answerReload(database: Database, request: string, outcome: ReloadOutcome): Promise<void> {
  const answer: ReloadAnswer = { host: hostname(), ...outcome }
  const details = JSON.stringify(answer)
  await insertAudit(database, {
    id: newId(),
    at: Date.now(),
    actor: 'service',
    action: ANSWERED,
    subject: request,
    details,
  })
}

/** Lists at most `limit` answers to a request. */
export async function listReloadAnswers(database: Database, request: string, limit: number): Promise<ReloadAnswer[]> {
  const rows = await listAudit(database, { action: ANSWERED, subject: request, since: 0, limit })
  return rows.map(({ details }) => JSON.parse(details) as ReloadAnswer)
}
