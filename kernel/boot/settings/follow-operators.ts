import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { logFailure, noteAnswer } from '../../database/absence.ts'
import type { Database } from '../../database/database.ts'
import { newId } from '../../database/ids.ts'
import { listAuditAfter } from '../../database/tables/audit.ts'
import { readSwitches } from '../../database/tables/switches.ts'
import type { ConversionEvents } from '../../events/events.ts'
import { CANCEL } from './audit.ts'
import { isReloadAnswer } from './reload-answers.ts'

/** Milliseconds between two looks. Documents promise that a change takes effect within 5 s. */
const INTERVAL = 3000

/** Rows of the audit trail that one look reads. */
const PAGE = 100

/** What operators change. */
interface Changed {
  settings: { maintenance: boolean }
  catalogue: Pick<Catalogue, 'setClosedTools'>
  events: ConversionEvents
  cancelForOperator: (id: string) => Promise<void>
}

/**
 * Follows what operators change, until the signal aborts: applies switches now and whenever they change, does what they
 * ask for, and logs each new row of the audit trail. Resolves after the first look; `ended` resolves after the last.
 */
export async function followOperators(
  database: Database,
  { settings, catalogue, events, cancelForOperator }: Changed,
  log: Logger,
  signal: AbortSignal,
): Promise<{ ended: Promise<void> }> {
  let seen = ''
  // Ids sort by time: rows that are written later have larger ones.
  let last = newId()

  async function poll(): Promise<void> {
    const { maintenance, closedTools } = await readSwitches(database)
    const now = JSON.stringify([maintenance, [...closedTools].sort()])
    if (now !== seen) {
      settings.maintenance = maintenance
      catalogue.setClosedTools(closedTools)
    }
    seen = now
    for (const row of await listAuditAfter(database, last, PAGE)) {
      const { id, actor, action, subject, details } = row
      last = id
      // Every node logs its own.
      if (isReloadAnswer(action)) continue
      if (action === 'reload') events.emit('reload', id)
      if (action === CANCEL) cancelForOperator(subject).catch((err) => log.error({ err }, 'conversion not cancelled'))
      log.info({ audit: { id, actor, action, subject, ...JSON.parse(details) } }, 'changed by an administrator')
    }
  }

  async function pollForever(): Promise<void> {
    while (!signal.aborted) {
      await delay(INTERVAL, undefined, { signal, ref: false }).catch(() => {})
      if (signal.aborted) return
      try {
        await poll()
        noteAnswer(database, log)
      } catch (err) {
        logFailure(database, log, err, 'settings not read')
      }
    }
  }

  await poll()
  return { ended: pollForever() }
}
