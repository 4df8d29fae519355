import { setTimeout as delay } from 'node:timers/promises'
import { audited } from '../boot/settings/audit.ts'
import { newId } from '../database/ids.ts'
import type { AdminContext } from './open-database.ts'

/** Milliseconds within which services must answer. They look for requests every 3 seconds. */
const ANSWER_TIMEOUT_MS = 30_000

/** Milliseconds between two looks for an answer. */
const POLL_INTERVAL_MS = 300

/**
 * Asks the running services for something: they follow the audit trail. Resolves to what `read` found when it was an
 * answer, or after 30 seconds.
 *
 * @param read Looks for the answer. `request`: the id of the row in the audit trail.
 */
export async function askService<Found>(
  { database, actor }: Pick<AdminContext, 'database' | 'actor'>,
  { action, subject }: { action: string; subject: string },
  read: (request: string) => Promise<Found>,
  isAnswer: (found: Found) => boolean,
): Promise<Found> {
  const id = newId()
  await audited(database, { id, actor, action, subject, details: {} }, async () => {})
  const end = performance.now() + ANSWER_TIMEOUT_MS
  for (;;) {
    const found = await read(id)
    if (isAnswer(found) || performance.now() > end) return found
    await delay(POLL_INTERVAL_MS)
  }
}
