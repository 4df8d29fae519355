import { setTimeout as delay } from 'node:timers/promises'
import { audited, CANCEL } from '../boot/settings/audit.ts'
import { findConversion, PENDING } from '../database/tables/conversions.ts'
import { printError, printJson, printLine } from '../terminal.ts'
import { CommandError } from './command.ts'
import type { AdminContext } from './operation.ts'

/** Milliseconds within which a service must do it. Services look for requests every 3 seconds. */
const ANSWER_TIMEOUT_MS = 30_000

/** Milliseconds between two looks. */
const LOOK_INTERVAL_MS = 300

/**
 * Asks the running service to cancel a conversion: it stops the engines, tells the client, logs and counts the end.
 * Resolves to the exit code.
 */
export async function cancelConversion(
  { database, actor }: AdminContext,
  id: string,
  { json }: { json: boolean },
): Promise<number> {
  const status = async () => (await findConversion(database, id))?.status
  const before = await status()
  if (!before)
    throw new CommandError(`There is no conversion ${id}. conversion list shows the waiting and running ones.`)
  if (!PENDING.includes(before)) throw new CommandError(`${id} has already ended: it is ${before}.`)
  await audited(database, { actor, action: CANCEL, subject: id, details: {} }, async () => {})
  const end = performance.now() + ANSWER_TIMEOUT_MS
  let now = await status()
  while (now && PENDING.includes(now) && performance.now() < end) {
    await delay(LOOK_INTERVAL_MS)
    now = await status()
  }
  const isOver = !now || !PENDING.includes(now)
  if (json) printJson(JSON.stringify({ id, status: now ?? null }))
  else if (isOver) printLine(now === 'completed' ? `${id} has completed meanwhile.` : `${id} is cancelled.`)
  else printError(`No running service has cancelled ${id} within 30 seconds.`)
  return isOver ? 0 : 1
}
