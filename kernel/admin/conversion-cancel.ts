import { CANCEL } from '../boot/settings/audit.ts'
import { findConversion, PENDING, type Status } from '../database/tables/conversions.ts'
import { printError, printJson, printLine } from '../terminal.ts'
import { CommandError } from './command.ts'
import type { AdminContext } from './operation.ts'
import { request } from './request.ts'

/**
 * Asks the running service to cancel a conversion: it stops the engines, tells the client, logs and counts the end.
 * Resolves to the exit code.
 */
export async function cancelConversion(
  context: AdminContext,
  id: string,
  { json }: { json: boolean },
): Promise<number> {
  const status = async () => (await findConversion(context.database, id))?.status
  const hasEnded = (now: Status | undefined) => !now || !PENDING.includes(now)
  const before = await status()
  if (!before)
    throw new CommandError(`There is no conversion ${id}. conversion list shows the waiting and running ones.`)
  if (hasEnded(before)) throw new CommandError(`${id} has already ended: it is ${before}.`)
  const now = await request(context, { action: CANCEL, subject: id }, status, hasEnded)
  if (json) printJson(JSON.stringify({ id, status: now ?? null }))
  else if (hasEnded(now)) printLine(now === 'completed' ? `${id} has completed meanwhile.` : `${id} is cancelled.`)
  else printError(`No running service has cancelled ${id} within 30 seconds.`)
  return hasEnded(now) ? 0 : 1
}
