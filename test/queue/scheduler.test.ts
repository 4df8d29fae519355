import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { ConversionFailure } from '../../kernel/errors.ts'
import { HandBack, type ScheduledJob } from '../../kernel/queue/job.ts'
import { createScheduler, type Scheduler } from '../../kernel/queue/scheduler.ts'

/** A runner with jobs that end on request. It knows the running jobs. */
function setUp(t: Test, limits: Partial<Omit<Parameters<typeof createScheduler>[0], 'run'>> = {}) {
  const ends = new Map<string, () => void>()
  const reasons = new Map<string, unknown>()
  const order: string[] = []
  const scheduler = createScheduler({
    ...{ workers: 4, heavyWorkers: 1, ...limits },
    run: ({ id }, signal) => {
      order.push(id)
      return new Promise((resolve) => {
        const end = () => {
          ends.delete(id)
          resolve()
        }
        ends.set(id, end)
        signal.addEventListener('abort', () => {
          reasons.set(id, signal.reason)
          end()
        })
      })
    },
  })
  // Running jobs keep a timer.
  t.teardown(() => scheduler.close(0))
  const finish = async (id: string) => {
    ends.get(id)!()
    await delay(5)
  }
  return { scheduler, finish, order, reasons, running: () => [...ends.keys()].sort().join(' ') }
}

const job = (id: string, owner: string, more: Partial<ScheduledJob> = {}): ScheduledJob => ({
  ...{ id, owner, shownTo: owner, batch: null, heavy: false, heavyConcurrency: 1, timeout: 60_000 },
  ...more,
})
const add = (scheduler: Scheduler, ...jobs: ScheduledJob[]) => Promise.all(jobs.map((each) => scheduler.enqueue(each)))

t.test('reports whether a job waits, and how many do', async (t) => {
  const { scheduler, running, finish } = setUp(t)
  t.same(await scheduler.enqueue(job('a1', 'a')), { queued: false, depth: 0 })
  await scheduler.enqueue(job('a2', 'a'))
  t.same(await scheduler.enqueue(job('a3', 'a')), { queued: true, depth: 1 }, 'one owner holds half of the places')
  t.same(await scheduler.enqueue(job('b1', 'b')), { queued: false, depth: 1 }, 'another owner passes')
  t.equal(running(), 'a1 a2 b1')
  await finish('a1')
  t.equal(running(), 'a2 a3 b1')
  t.equal(scheduler.depth(), 0)
})

t.test('places of waiting jobs, by kind; they are told when they change', async (t) => {
  const told = Promise.withResolvers<readonly ScheduledJob[]>()
  const { scheduler, finish } = setUp(t, { workers: 1, onMoved: told.resolve })
  await add(scheduler, job('a1', 'a'), job('a2', 'a'), job('a3', 'a', { heavy: true }), job('b1', 'b'), job('c1', 'c'))
  const places = () => ['a1', 'a2', 'a3', 'b1', 'c1'].map((id) => scheduler.place(id))
  t.strictSame(places(), [undefined, 1, 1, 2, 3])
  scheduler.cancel('b1', new ConversionFailure('CANCELLED', 'no'))
  t.strictSame(places(), [undefined, 1, 1, undefined, 2])
  await finish('a1')
  t.strictSame(
    (await told.promise).map(({ id }) => id),
    ['a2', 'c1'],
    'a3 runs',
  )
})

t.test('heavy jobs: the plan limits an owner, the machine limits all, light jobs pass', async (t) => {
  const { scheduler, running, finish } = setUp(t, { heavyWorkers: 3 })
  const heavy = (id: string, owner: string, heavyConcurrency: number | null) =>
    job(id, owner, { heavy: true, heavyConcurrency })
  await add(
    scheduler,
    heavy('a1', 'a', 1),
    heavy('a2', 'a', 1),
    heavy('b1', 'b', 2),
    heavy('b2', 'b', 2),
    heavy('b3', 'b', 2),
  )
  t.equal(running(), 'a1 b1 b2')
  await add(scheduler, heavy('c1', 'c', null), job('d1', 'd'))
  t.equal(running(), 'a1 b1 b2 d1', 'the machine runs three heavy ones; a light one does not wait')
  await finish('a1')
  t.equal(running(), 'b1 b2 c1 d1', 'first come, first served among those whose plan allows it')
})

t.test('cancels waiting and running jobs', async (t) => {
  const { scheduler, running, reasons, order, finish } = setUp(t, { workers: 2 })
  await add(scheduler, job('a1', 'a'), job('a2', 'a'), job('a3', 'a'))
  const reason = new ConversionFailure('CANCELLED', 'cancelled')
  scheduler.cancel('a2', reason)
  scheduler.cancel('a1', reason)
  scheduler.cancel('nosuch', reason)
  await delay(5)
  t.equal(reasons.get('a1'), reason)
  t.equal(running(), 'a3')
  await finish('a3')
  t.same(order, ['a1', 'a3'], 'a2 never ran')
  t.equal(scheduler.running(), 0)
})

t.test('a job that takes too long is stopped with TIMEOUT', async (t) => {
  const { scheduler, reasons } = setUp(t)
  await scheduler.enqueue(job('a1', 'a', { timeout: 30 }))
  while (!reasons.has('a1')) await delay(5)
  t.match(reasons.get('a1'), { code: 'TIMEOUT' })
})

t.test('closing starts no more jobs, waits, then hands back', async (t) => {
  const { scheduler, reasons, order, finish } = setUp(t, { workers: 2 })
  await add(scheduler, job('a1', 'a'), job('b1', 'b'), job('c1', 'c'))
  const closed = scheduler.close(60)
  t.throws(() => scheduler.requireOpen(), { code: 'SHUTTING_DOWN' })
  await finish('a1')
  await closed
  t.notOk(reasons.has('a1'))
  t.ok(reasons.get('b1') instanceof HandBack)
  t.same(order, ['a1', 'b1'], 'c1 stays for the next life')
})

t.test('idle owners use no memory', async (t) => {
  const { scheduler, finish, running } = setUp(t)
  for (let n = 0; n < 50; n++) {
    await scheduler.enqueue(job(`x${n}`, `owner${n}`))
    await finish(`x${n}`)
  }
  t.equal(running(), '')
  t.equal(scheduler.depth() + scheduler.running(), 0)
})
