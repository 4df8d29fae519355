import type { Logger } from 'pino'
import { type Database, openDatabase, type Place } from '../database/database.ts'
import { requireAlone } from './agree.ts'

/**
 * Opens the database for the only service that uses it. For SQLite, the claim on the data folder ensures that.
 *
 * @param undo Releases it when the service stops.
 * @throws StartError if it cannot be used, or other services use it.
 */
export async function openAlone(place: Place, log: Logger, undo: AsyncDisposableStack): Promise<Database> {
  if (place.url) {
    // Its client is loaded only for a server.
    const { claimDatabase } = await import('../database/claim.ts')
    undo.use(await claimDatabase(place.url, log, () => process.kill(process.pid, 'SIGTERM')))
  }
  const database = await openDatabase(place, place.url ? requireAlone : undefined, log)
  undo.defer(() => database.destroy())
  return database
}
