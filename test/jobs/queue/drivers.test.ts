/** The queue in the process and the queue on Redis, in the same tests. */
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { openRedis } from '../../../kernel/cluster/redis.ts'
import { lanesAround } from '../../../kernel/database/lanes.ts'
import { createSharedQueue, type SharedQueue } from '../../../kernel/jobs/queue/bullmq.ts'
import type { Runner, ScheduledJob } from '../../../kernel/jobs/queue/job.ts'
import type { BacklogEntry } from '../../../kernel/jobs/queue/promotion.ts'
import { createScheduler } from '../../../kernel/jobs/queue/scheduler.ts'
import { logOptions } from '../../../kernel/log.ts'
import { startRedis } from '../../harness/servers/redis.ts'
import { until } from '../../harness/until.ts'
import { jobOf, type Limits, type MakeQueue, testQueue } from './suite.ts'

const own: MakeQueue = async (_t, run, { light, heavy }) => {
  const scheduler = createScheduler({ run, workers: { all: light, heavy } })
  return { scheduler, add: scheduler.enqueue, cancel: scheduler.cancel }
}

/** A node of the queue on Redis. Nodes of one group can convert the same pairs. */
interface Node {
  run: Runner
  holds: () => boolean
  group?: string
  pairs?: readonly string[]
}

t.test('in the process', async (t) => testQueue(t, own))

t.test('on Redis', { timeout: 600_000 }, async (t) => {
  const server = await startRedis()
  t.teardown(() => server[Symbol.asyncDispose]())
  const lines: { count?: number; msg: string }[] = []
  const log = pino(logOptions('info'), { write: (line: string) => void lines.push(JSON.parse(line)) })
  let made = 0

  /**
   * Makes a queue for each node. The database is a list of the pending jobs: a job that is not in it cannot be claimed.
   */
  async function makeNodes(t: Test, nodes: readonly Node[], workers: Limits, size = 1) {
    const place = await openRedis(server.url, `secret ${++made}`, log)
    const pending = new Map<string, BacklogEntry>()
    const widest = (lane: string) => lanesAround(lane).at(-1)
    const of = (owner: string) => [...pending.values()].filter(({ job }) => widest(job.lane) === widest(owner))
    const groups = (pair: string) => [
      ...new Set(nodes.filter(({ pairs = ['a>b'] }) => pairs.includes(pair)).map(({ group = 'all' }) => group)),
    ]
    const roster = {
      groups: () => new Set(nodes.map(({ group = 'all' }) => group)),
      takersOf: (pair: string) => groups(pair).map((name) => ({ name, nodes: size, workers })),
      groupOf: (node: string) => node,
    }
    const schedulers = nodes.map(({ run, holds, group = 'all' }) =>
      createSharedQueue({
        async run(job, signal, again) {
          const entry = pending.get(job.id)
          if (!entry || entry.node !== null) return
          entry.node = group
          entry.fence++
          let next: ScheduledJob | undefined
          await run(job, signal, (heavier) => {
            next = heavier
          })
          if (next) {
            Object.assign(entry, { job: next, node: null })
            again(next)
          } else pending.delete(job.id)
        },
        backlog: {
          list: async (_most, owner) => (owner === undefined ? [...pending.values()] : of(owner)),
          async count() {
            const waiting = [...pending.values()].filter(({ node }) => node === null)
            const heavy = waiting.filter(({ job }) => job.heavy).length
            return { light: { waiting: waiting.length - heavy, age: 0 }, heavy: { waiting: heavy, age: 0 } }
          },
        },
        redis: place.redis,
        another: place.another,
        prefix: place.prefix,
        workers,
        log,
        membership: { holds, workers: () => workers, roster },
        group,
        cancelElsewhere: () => {},
      }),
    )
    for (const scheduler of schedulers) scheduler.begin()
    t.teardown(async () => {
      await Promise.all(schedulers.map((scheduler) => scheduler.close(0)))
      await place[Symbol.asyncDispose]()
    })
    /** Records a job and gives it to a node, as a start does. */
    function add(scheduler: SharedQueue, job: ScheduledJob, pair = 'a>b') {
      pending.set(job.id, { job, fence: 0, node: null, pair })
      return scheduler.enqueue(job)
    }
    return { pending, schedulers, place, add }
  }

  const shared: MakeQueue = async (t, run, workers) => {
    const { pending, schedulers, add } = await makeNodes(t, [{ run, holds: () => true }], workers)
    const scheduler = schedulers[0]!
    return {
      scheduler,
      add: (job) => add(scheduler, job),
      cancel(id, reason) {
        if (pending.get(id)?.node === null) pending.delete(id)
        scheduler.cancel(id, reason)
      },
    }
  }

  t.test('a node without a lease leaves all jobs to the others, and takes jobs again when it has one', async (t) => {
    const ran: string[][] = [[], []]
    const leases = [true, true]
    const nodes = ran.map((ids, node) => ({
      run: async ({ id }: ScheduledJob) => void ids.push(id),
      holds: () => leases[node]!,
    }))
    const { schedulers, add } = await makeNodes(t, nodes, { light: 2, heavy: 1 })
    const count = () => ran.flat().length
    async function addAll(letter: string): Promise<void> {
      const before = count()
      // One at a time: both nodes wait for each.
      for (let n = 0; n < 20; n++) {
        await add(schedulers[n % 2]!, jobOf(`${letter}${n}`))
        await until(() => count() > before + n)
      }
      t.equal(count(), before + 20, `all of ${letter} ran once`)
    }
    await addAll('a')
    const [before] = ran.map((ids) => ids.length)
    leases[0] = false
    schedulers[0]!.suspend('The lease of the node has ended')
    await addAll('b')
    t.equal(ran[0]!.length, before, 'the node without a lease ran none')
    leases.reverse()
    schedulers[0]!.resume()
    schedulers[1]!.suspend('The lease of the node has ended')
    await addAll('c')
  })

  t.test('of two interrupted jobs, a node runs one after the other, and two nodes run both', async (t) => {
    for (const count of [1, 2]) {
      const running = Array.from({ length: count }, () => 0)
      let max = 0
      let together = 0
      const run = (node: number) => async () => {
        max = Math.max(max, ++running[node]!)
        const all = running.reduce((total, each) => total + each)
        together = Math.max(together, all)
        // Alone, long enough that the other one is delivered several times.
        if (count === 1) await delay(1500)
        else await until(() => together > 1)
        running[node]!--
      }
      const nodes = running.map((_, node) => ({ run: run(node), holds: () => true }))
      // The list of nodes says that there are four.
      const { pending, schedulers } = await makeNodes(t, nodes, { light: 4, heavy: 1 }, 4)
      for (const id of ['a', 'b'])
        pending.set(id, { job: { ...jobOf(id), suspect: true }, fence: 0, node: null, pair: 'a>b' })
      await schedulers[0]!.fill()
      await until(() => pending.size === 0)
      t.equal(max, 1, 'a node runs one at a time')
      t.equal(together, count)
    }
  })

  t.test('heavy jobs of an owner run one at a time on two nodes, and none is left behind', async (t) => {
    let running = 0
    let max = 0
    const run = async () => {
      max = Math.max(max, ++running)
      // Long enough to meet another run that should not be.
      await delay(20)
      running--
    }
    const node = { run, holds: () => true }
    const { pending, schedulers, add } = await makeNodes(t, [node, node], { light: 4, heavy: 1 })
    for (let n = 0; n < 12; n++) await add(schedulers[n % 2]!, jobOf(`${n}`, 'a', { heavy: true }))
    await until(() => pending.size === 0)
    t.equal(max, 1)
  })

  t.test('a job runs where it can, once, and leaves nothing behind for the other nodes', async (t) => {
    const ran: string[][] = [[], []]
    const run = (node: number) => async (job: ScheduledJob) => void ran[node]!.push(job.id)
    const holds = () => true
    const { pending, schedulers, place, add } = await makeNodes(
      t,
      [
        { run: run(0), holds, group: 'picture', pairs: ['a>b', 'p>q'] },
        { run: run(1), holds, group: 'sound', pairs: ['a>b', 's>t'] },
      ],
      { light: 2, heavy: 1 },
    )
    for (let n = 0; n < 30; n++) {
      const id = `${n}`
      const pair = ['a>b', 'p>q', 's>t'][n % 3]!
      await add(schedulers[n % 2]!, jobOf(id), pair)
    }
    await until(() => pending.size === 0)
    t.equal(ran.flat().length, 30)
    t.equal(new Set(ran.flat()).size, 30, 'each once')
    t.notOk(
      ran[0]!.some((id) => Number(id) % 3 === 2),
      'no sound where there are only pictures',
    )
    t.notOk(ran[1]!.some((id) => Number(id) % 3 === 1))
    const left = async () => (await place.redis.keys(`${place.prefix}:*:[0-9]*-[0-9]*`)).length
    // Redis keeps no job.
    await until(async () => (await left()) === 0)
  })

  t.test('jobs that no node wrote are ignored', async (t) => {
    const ran: string[] = []
    const run = async ({ id }: ScheduledJob) => void ran.push(id)
    const { pending, schedulers, place, add } = await makeNodes(t, [{ run, holds: () => true }], { light: 2, heavy: 1 })
    await add(schedulers[0]!, jobOf('first'))
    await until(() => pending.size === 0)
    // As BullMQ names them.
    const queue = `${place.prefix}:light-all`
    const job = jobOf('forged')
    pending.set('forged', { job, fence: 0, node: null, pair: 'a>b' })
    const ids = [5, { id: 1 }, '', ['forged']].map((id) => ({ id }))
    const odds = [...ids, { lane: {} }, { heavy: 1 }, { timeout: '1000' }, { timeout: null }]
    const strange: unknown[] = [
      ...[null, 5, 'text', [], {}, { job: null, groups: [] }, { job: {}, groups: [] }],
      ...odds.map((odd) => ({ job: { ...job, ...odd }, groups: ['all'] })),
      ...[undefined, 5, {}, [5], ['a:b'], ['']].map((groups) => ({ job, groups })),
    ]
    const fields = { name: 'convert', opts: '{}', timestamp: '1', delay: '0', priority: '0' }
    const all = strange.map((data) => ({ ...fields, data: JSON.stringify(data) }))
    all.push({ ...fields, data: 'no JSON' }, { ...fields, opts: 'no JSON', data: '{}' })
    for (const [number, each] of all.entries()) {
      await place.redis.hset(`${queue}:strange-${number}`, each)
      await place.redis.lpush(`${queue}:wait`, `strange-${number}`)
    }
    // BullMQ ignores one without data.
    await place.redis.lpush(`${queue}:wait`, 'none')
    await add(schedulers[0]!, jobOf('second'))
    await until(() => ran.includes('second'))
    t.strictSame(ran, ['first', 'second'])
    t.equal(schedulers[0]!.running(), 0)
    const told = lines.filter(({ msg }) => /not from a node/.test(msg)).map(({ count }) => count)
    t.strictSame(told, [1], 'logged once a minute')
  })

  testQueue(t, shared)
})
