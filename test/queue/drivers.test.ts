/** The queue in the process and the queue on Redis, in the same tests. */
import t from 'tap'
import { createLog } from '../../kernel/log.ts'
import { openRedis } from '../../kernel/nodes/redis.ts'
import { createSharedQueue } from '../../kernel/queue/bullmq.ts'
import type { BacklogEntry } from '../../kernel/queue/promotion.ts'
import { createScheduler } from '../../kernel/queue/scheduler.ts'
import { startRedis } from '../services/redis.ts'
import { type MakeQueue, testQueue } from './suite.ts'

const own: MakeQueue = async (_t, run, { light, heavy }) => {
  const scheduler = createScheduler({ run, workers: light, heavyWorkers: heavy })
  return { scheduler, add: scheduler.enqueue, cancel: scheduler.cancel }
}

t.test('in the process', async (t) => testQueue(t, own))

t.test('on Redis', { timeout: 120_000 }, async (t) => {
  const server = await startRedis()
  t.teardown(() => server[Symbol.asyncDispose]())
  const log = createLog('silent')
  let made = 0

  /** The database is a list of the pending jobs. A job that is not in it cannot be claimed. */
  const shared: MakeQueue = async (t, run, workers) => {
    const place = await openRedis(server.url, `secret ${++made}`, log)
    const pending = new Map<string, BacklogEntry>()
    const scheduler = await createSharedQueue({
      async run(job, signal) {
        const entry = pending.get(job.id)
        if (!entry || entry.running) return
        entry.running = true
        entry.fence++
        await run(job, signal)
        pending.delete(job.id)
      },
      backlog: {
        list: async (owner) => [...pending.values()].filter(({ job }) => !owner || job.owner === owner),
        async count() {
          const waiting = [...pending.values()].filter(({ running }) => !running)
          const heavy = waiting.filter(({ job }) => job.heavy).length
          return { light: waiting.length - heavy, heavy }
        },
      },
      ...{ redis: place.redis, another: place.another, prefix: place.prefix, workers, log },
      membership: { holds: () => true, workers: () => workers },
      cancelElsewhere: () => {},
    })
    t.teardown(async () => {
      await scheduler.close(0)
      await place[Symbol.asyncDispose]()
    })
    return {
      scheduler,
      add(job) {
        pending.set(job.id, { job, fence: 0, running: false })
        return scheduler.enqueue(job)
      },
      cancel(id, reason) {
        if (pending.get(id)?.running === false) pending.delete(id)
        scheduler.cancel(id, reason)
      },
    }
  }
  testQueue(t, shared)
})
