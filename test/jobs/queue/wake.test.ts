/** Which workers of BullMQ a job wakes, over a real Redis. */
import { Queue, Worker } from 'bullmq'
import t, { type Test } from 'tap'
import { openRedis } from '../../../kernel/cluster/redis.ts'
import { wakeForJobsOnly } from '../../../kernel/jobs/queue/wake.ts'
import { createLog } from '../../../kernel/log.ts'
import { startRedis } from '../../harness/servers/redis.ts'
import { until } from '../../harness/until.ts'

t.test('a job that begins wakes another worker only if another job waits', { timeout: 60_000 }, async (t) => {
  await using server = await startRedis()
  await using place = await openRedis(server.url, 'secret', createLog('silent'))
  const { redis, another, prefix } = place

  /** Lets workers with one place wait for jobs. None of the jobs ends before the test. */
  async function open(t: Test, name: string, workers: number) {
    const end = Promise.withResolvers<void>()
    const begun: string[] = []
    const take = async ({ name }: { name: string }) => {
      begun.push(name)
      await end.promise
    }
    const queue = new Queue(name, { connection: redis, prefix })
    const all = Array.from(
      { length: workers },
      () => new Worker(name, take, { connection: wakeForJobsOnly(another()), prefix, drainDelay: 60 }),
    )
    t.teardown(async () => {
      end.resolve()
      await Promise.all([...all, queue].map((each) => each.close()))
    })
    const blocked = async () => Number(/^blocked_clients:(\d+)/m.exec(await redis.info('clients'))![1])
    await until(async () => (await blocked()) >= workers)
    const begin = async (names: readonly string[], number: number) => {
      await queue.addBulk(names.map((name) => ({ name, data: {} })))
      await until(() => begun.length >= number)
    }
    return { begin, begun, isWaking: async () => (await redis.exists(`${prefix}:${name}:marker`)) === 1 }
  }

  await t.test('no other job waits', async (t) => {
    const { begin, isWaking } = await open(t, 'one', 1)
    await begin(['a'], 1)
    t.equal(await isWaking(), false)
  })

  await t.test('another job waits', async (t) => {
    const { begin, isWaking } = await open(t, 'two', 1)
    await begin(['a', 'b'], 1)
    t.equal(await isWaking(), true)
  })

  await t.test('several workers take jobs that come together', async (t) => {
    const { begin, begun } = await open(t, 'several', 3)
    await begin(['a', 'b', 'c'], 3)
    t.strictSame(begun.sort(), ['a', 'b', 'c'], 'at the same time, without the time-out of a wait')
  })
})
