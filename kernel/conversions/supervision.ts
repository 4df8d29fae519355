import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { listAbandoned, listClaimedBy } from '../database/tables/backlog.ts'
import type { SharedQueue } from '../queue/bullmq.ts'
import { type RecoveryGround, requeueInterrupted } from './recovery.ts'

/** Milliseconds between two looks. */
const INTERVAL = 2000

/**
 * Keeps the queue of several nodes in step with the database, until the signal aborts. Each node stops conversions that
 * have ended elsewhere. The leader takes conversions back from nodes that are gone, and delivers what waits again: Redis
 * may have lost it.
 */
export async function superviseQueue(
  ground: Omit<RecoveryGround, 'scheduler' | 'config'>,
  queue: SharedQueue,
  node: { id: string; leads(): boolean },
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  let missed = new Set<string>()

  /** Stops what does not belong to this node any more. A claim may just be under way, so it looks twice. */
  async function stopEnded(): Promise<void> {
    const ids = queue.ids()
    const own = ids.length ? await listClaimedBy(ground.database, node.id, ids) : []
    const strange = new Set(ids).difference(new Set(own))
    for (const id of strange.intersection(missed)) queue.stop(id, 'The conversion was ended elsewhere')
    missed = strange
  }

  async function look(): Promise<void> {
    await queue.refresh()
    await stopEnded()
    if (!node.leads()) return
    const abandoned = await listAbandoned(ground.database)
    if (abandoned.length) log.warn({ conversions: abandoned.length }, 'taken back from nodes that are gone')
    await requeueInterrupted(ground, abandoned)
    await queue.fill()
  }

  while (!signal.aborted) {
    await look().catch((err) => log.error({ err }, 'cannot look after the queue'))
    await delay(INTERVAL, undefined, { signal, ref: false }).catch(() => {})
  }
}
