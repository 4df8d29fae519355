import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { openAlone } from '../cluster/alone.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { Database } from '../database/database.ts'
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
    const { databaseUrl: url, dataDir } = config
    const servers = config.redisUrl
      ? await (await import('../cluster/cluster.ts')).joinCluster(config, log, opened)
      : { database: await openAlone({ url, dataDir }, log, opened) }
    undo.use(opened.move())
    return servers
  })

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
