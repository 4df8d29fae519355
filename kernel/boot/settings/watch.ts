import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { logFailure, noteAnswer } from '../../database/absence.ts'
import type { Database } from '../../database/database.ts'
import { newId } from '../../database/ids.ts'
import { type AuditRow, listAuditAfter } from '../../database/tables/audit.ts'
import { isReloadAnswer } from './reload-answers.ts'
import { readSwitches, type Switches } from './switches.ts'

/** Milliseconds between two looks. Documents promise that a change takes effect within 5 s. */
const INTERVAL = 3000

/** Rows of the audit trail that one look reads. */
const PAGE = 100

/**
 * Follows what operators change, until the signal aborts: applies switches now and whenever they change, and logs each
 * new row of the audit trail. Resolves after the first look; `ended` resolves after the last.
 */
export async function watchSettings({
  database,
  apply,
  follow,
  log,
  signal,
}: {
  database: Database
  apply: (switches: Switches) => void
  /** Called with each new row of the audit trail. */
  follow: (row: AuditRow) => void
  log: Logger
  signal: AbortSignal
}): Promise<{ ended: Promise<void> }> {
  let seen = ''
  // Ids sort by time: rows that are written later have larger ones.
  let last = newId()

  async function look(): Promise<void> {
    const switches = await readSwitches(database)
    const now = JSON.stringify([switches.maintenance, [...switches.closedTools].sort()])
    if (now !== seen) apply(switches)
    seen = now
    for (const row of await listAuditAfter(database, last, PAGE)) {
      const { id, actor, action, subject, details } = row
      last = id
      // Every node logs its own.
      if (isReloadAnswer(action)) continue
      follow(row)
      log.info({ audit: { id, actor, action, subject, ...JSON.parse(details) } }, 'changed by an administrator')
    }
  }

  async function lookForever(): Promise<void> {
    while (!signal.aborted) {
      await delay(INTERVAL, undefined, { signal, ref: false }).catch(() => {})
      if (signal.aborted) return
      try {
        await look()
        noteAnswer(database, log)
      } catch (err) {
        logFailure(database, log, err, 'settings not read')
      }
    }
  }

  await look()
  return { ended: lookForever() }
}
