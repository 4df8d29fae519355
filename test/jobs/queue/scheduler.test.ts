/** What only the queue in the process tells: numbers and places. What every queue does: drivers.test.ts. */
import t, { type Test } from 'tap'
import { ConversionFailure } from '../../../kernel/errors.ts'
import type { ScheduledJob } from '../../../kernel/jobs/queue/job.ts'
import { createScheduler, type Scheduler } from '../../../kernel/jobs/queue/scheduler.ts'
import { jobOf as job } from './suite.ts'

/** A runner with jobs that end on request. It knows the running jobs. */
function setUp(t: Test, limits: Partial<Omit<Parameters<typeof createScheduler>[0], 'run'>> = {}) {
  const ends = new Map<string, () => void>()
  const scheduler = createScheduler({
    workers: { all: 4, heavy: 1 },
    ...limits,
    run: ({ id }, signal) =>
      new Promise((resolve) => {
        const end = () => {
          ends.delete(id)
          resolve()
        }
        ends.set(id, end)
        signal.addEventListener('abort', end)
      }),
  })
  // Running jobs keep a timer.
  t.teardown(() => scheduler.close(0))
  const finish = async (id: string) => {
    ends.get(id)!()
    await new Promise(setImmediate)
  }
  return { scheduler, finish, running: () => [...ends.keys()].sort().join(' ') }
}

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
  const { scheduler, finish } = setUp(t, { workers: { all: 1, heavy: 1 }, onMoved: told.resolve })
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
