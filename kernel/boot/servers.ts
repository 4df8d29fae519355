import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { requireAlone } from '../cluster/agree.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { ServerAway } from '../errors.ts'

/** Milliseconds between two attempts. */
const PAUSE_MS = 1000

/** Milliseconds between two lines that say what the start waits for. */
const LINE_INTERVAL_MS = 30_000

/**
 * Opens the database, and joins the other nodes if there are any. Waits for servers that do not answer.
 *
 * @param undo Releases everything when the service stops.
 * @throws StartError if they cannot be used.
 */
export const openServers = (
  config: Config,
  log: Logger,
  undo: AsyncDisposableStack,
): Promise<{ database: Database; cluster?: Cluster }> =>
  waitForServers(log, async () => {
    await using opened = new AsyncDisposableStack()
    const servers = config.redisUrl
      ? await (await import('../cluster/cluster.ts')).joinCluster(config, log, opened)
      : { database: await openAlone(config, log, opened) }
    undo.use(opened.move())
    return servers
  })

/**
 * Opens the database for the only service that uses it. For SQLite, the claim on the data folder ensures that.
 *
 * @param undo Releases it when the service stops.
 * @throws StartError if it cannot be used, or other services use it.
 */
async function openAlone(
  { databaseUrl: url, dataDir }: Config,
  log: Logger,
  undo: AsyncDisposableStack,
): Promise<Database> {
  if (url) {
    // Its client is loaded only for a server.
    const { claimDatabase } = await import('../database/claim.ts')
    undo.use(await claimDatabase(url, log, () => process.kill(process.pid, 'SIGTERM')))
  }
  const database = await openDatabase({ url, dataDir }, url ? requireAlone : undefined, log)
  undo.defer(() => database.destroy())
  return database
}

/**
 * Repeats a step of the start until the servers that it needs answer: after a power failure, they can start later. A
 * signal ends the wait with the process.
 *
 * @param step Releases what it holds if it fails.
 * @throws what `step` throws, except ServerAway.
 */
async function waitForServers<T>(log: Logger, step: () => Promise<T>): Promise<T> {
  for (let nextLine = Number.NEGATIVE_INFINITY; ; ) {
    try {
      const made = await step()
      if (nextLine > 0) log.info('the servers answer; the start goes on')
      return made
    } catch (error) {
      if (!(error instanceof ServerAway)) throw error
      if (performance.now() >= nextLine) {
        log.warn({ reason: error.message }, 'waiting for a server')
        nextLine = performance.now() + LINE_INTERVAL_MS
      }
    }
    await delay(PAUSE_MS)
  }
}
