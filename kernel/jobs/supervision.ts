import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { logFailure } from '../database/absence.ts'
import { listAbandoned, listProcessingOf } from '../database/tables/backlog.ts'
import { claimName } from '../database/tables/conversion-claims.ts'
import { listHosts } from '../database/tables/nodes.ts'
import type { SharedQueue } from './queue/bullmq.ts'
import { type RecoveryParts, requeueInterrupted } from './recovery.ts'

/** Milliseconds between two looks. Without Redis, no message tells a node that what it runs was cancelled elsewhere. */
const INTERVAL = { usual: 2000, withoutRedis: 800 }

/**
 * Keeps the queue of several nodes in step with the database, until the signal aborts. Each node stops conversions that
 * have ended elsewhere, and gives back those that it has claimed but does not run: the database recorded the claim, and
 * its answer was lost, or it could not record the end. The leader takes conversions back from nodes that are gone, and
 * delivers what waits again: Redis may have lost it.
 */
export async function superviseQueue(
  parts: Omit<RecoveryParts, 'scheduler' | 'config'>,
  queue: SharedQueue,
  {
    membership: node,
    redis: { redis },
  }: { membership: { id: string; leads(): boolean }; redis: { redis: { readonly status: string } } },
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  let strange = new Set<string>()
  let idle = new Set<string>()

  /**
   * Compares what runs here with the claims of this node. A claim or an end may just be under way, so it looks twice.
   */
  async function compare(): Promise<void> {
    const running = new Set(queue.ids())
    const claims = new Map((await listProcessingOf(parts.database, node.id)).map((row) => [row.id, row]))
    const unclaimed = running.difference(claims)
    for (const id of unclaimed.intersection(strange)) queue.stop(id, 'The conversion was ended elsewhere')
    strange = unclaimed
    const waiting = [...claims.values()].filter(({ id }) => !queue.has(id))
    const lost = waiting.filter((row) => idle.has(claimName(row)))
    idle = new Set(waiting.map(claimName))
    if (lost.length) log.warn({ conversions: lost.length }, 'claimed here and not running: queued again')
    await requeueInterrupted(parts, lost, signal)
  }

  async function poll(): Promise<void> {
    await queue.refresh()
    if (queue.takes) await compare()
    if (!node.leads()) return
    const abandoned = await listAbandoned(parts.database)
    if (abandoned.length) {
      const nodes = await listHosts(parts.database, [...new Set(abandoned.map(({ node }) => node))])
      log.warn({ conversions: abandoned.length, nodes }, 'conversions taken back from nodes that are gone')
    }
    await requeueInterrupted(parts, abandoned, signal)
    await queue.fill()
  }

  while (!signal.aborted) {
    await poll().catch((err) => logFailure(parts.database, log, err, 'cannot look after the queue'))
    const pause = redis.status === 'ready' ? INTERVAL.usual : INTERVAL.withoutRedis
    await delay(pause, undefined, { signal, ref: false }).catch(() => {})
  }
}
