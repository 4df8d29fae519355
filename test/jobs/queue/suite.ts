import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'
import { ConversionFailure } from '../../../kernel/errors.ts'
import { HandBack, type Runner, type ScheduledJob } from '../../../kernel/jobs/queue/job.ts'
import type { Scheduler } from '../../../kernel/jobs/queue/scheduler.ts'
import { until } from '../../harness/until.ts'

export interface Limits {
  /** Light jobs at the same time. */
  light: number
  heavy: number
}

export const jobOf = (id: string, owner = id, more: Partial<ScheduledJob> = {}): ScheduledJob => ({
  id,
  lane: owner,
  owner,
  batch: null,
  heavy: false,
  heavyConcurrency: 1,
  timeout: 60_000,
  ...more,
})

/** Makes a queue that runs jobs by `run`. */
export type MakeQueue = (
  t: Test,
  run: Runner,
  limits: Limits,
) => Promise<{
  scheduler: Scheduler
  /** Records a job and puts it into the queue. */
  add(job: ScheduledJob): Promise<{ queued: boolean; depth: number }>
  /** Records that a waiting job has ended, and cancels it. */
  cancel(id: string, reason: ConversionFailure): void
}>

/** What every queue does, whatever its driver is. */
export function testQueue(t: Test, make: MakeQueue): void {
  /** A queue with jobs that end on request. */
  async function setUp(t: Test, limits: Limits) {
    const ends = new Map<string, () => void>()
    const reasons = new Map<string, unknown>()
    const order: string[] = []
    const agains = new Map<string, () => void>()
    const run: Runner = (job, signal, again) => {
      const { id } = job
      order.push(id)
      agains.set(id, () => again({ ...job, heavy: true }))
      const { promise, resolve } = Promise.withResolvers<void>()
      ends.set(id, resolve)
      signal.addEventListener('abort', () => {
        reasons.set(id, signal.reason)
        resolve()
      })
      return promise.finally(() => ends.delete(id))
    }
    const queue = await make(t, run, limits)
    t.teardown(() => queue.scheduler.close(0))
    const running = () => [...ends.keys()].sort().join(' ')
    /** Waits until exactly these jobs run. */
    async function runs(t: Test, ids: string, message?: string): Promise<void> {
      await until(() => running() === ids).catch(() => {})
      // A queue may not start more than these a moment later.
      await delay(50)
      t.equal(running(), ids, message ?? `runs ${ids}`)
    }
    const addAll = async (...jobs: ScheduledJob[]) => {
      for (const job of jobs) await queue.add(job)
    }
    const finish = (id: string) => ends.get(id)!()
    /** Lets a job find that it is heavy. */
    function turnHeavy(id: string): void {
      agains.get(id)!()
      finish(id)
    }
    return { ...queue, runs, addAll, reasons, order, finish, turnHeavy }
  }

  const job = jobOf
  const heavy = (id: string, owner: string, heavyConcurrency: number | null) =>
    job(id, owner, { heavy: true, heavyConcurrency })

  t.test("an owner's jobs run in order; another owner does not wait behind them", async (t) => {
    const { addAll, runs, finish, add, order, scheduler } = await setUp(t, { light: 4, heavy: 1 })
    await addAll(job('a1', 'a'), job('a2', 'a'))
    await runs(t, 'a1 a2')
    await addAll(job('a3', 'a'), job('a4', 'a'))
    t.ok((await add(job('a5', 'a'))).depth >= 3, 'three wait')
    await add(job('b1', 'b'))
    await runs(t, 'a1 a2 b1', 'one owner holds half of the places')
    finish('a1')
    await runs(t, 'a2 a3 b1')
    finish('a2')
    finish('a3')
    await runs(t, 'a4 a5 b1')
    t.strictSame(
      order.filter((id) => id.startsWith('a')),
      ['a1', 'a2', 'a3', 'a4', 'a5'],
    )
    t.equal(scheduler.running(), 3)
    t.equal(scheduler.ofKind('light').running, 3)
  })

  t.test('heavy jobs: the plan limits an owner, the machine limits all, light jobs pass', async (t) => {
    const { addAll, runs, finish } = await setUp(t, { light: 4, heavy: 3 })
    await addAll(
      heavy('a1', 'a', 1),
      heavy('a2', 'a', 1),
      heavy('b1', 'b', 2),
      heavy('b2', 'b', 2),
      heavy('b3', 'b', 2),
    )
    await runs(t, 'a1 b1 b2')
    await addAll(heavy('c1', 'c', null), job('d1', 'd'))
    await runs(t, 'a1 b1 b2 d1', 'three heavy ones run; a light one does not wait')
    finish('a1')
    await runs(t, 'b1 b2 c1 d1', 'first come, first served among those whose plan allows it')
  })

  t.test('lanes lie in wider ones, whose shares rise and leave a place for others', async (t) => {
    const { addAll, runs, finish } = await setUp(t, { light: 8, heavy: 9 })
    const many = (name: string, lane: string, more: Partial<ScheduledJob> = {}) =>
      Array.from({ length: 5 }, (_, n) => job(`${name}${n}`, lane, more))
    await addAll(...many('a', 'w.m.a'), ...many('b', 'w.m.b'), ...many('c', 'w.n.c'))
    const all = 'a0 a1 a2 a3 b0 b1 c0'
    await runs(t, all, 'of 8 places, half for a lane, 6 for two in one, 7 for all in the widest')
    await addAll(job('z', 'z'))
    await runs(t, `${all} z`, 'another lane finds a place')
    finish('c0')
    await runs(t, 'a0 a1 a2 a3 b0 b1 c1 z')
    for (const id of ['a0', 'a1', 'a2', 'a3', 'b0', 'b1', 'c1', 'z']) finish(id)
    await runs(t, 'a4 b2 b3 b4 c2 c3 c4')
    for (const id of ['a4', 'b2', 'b3', 'b4', 'c2', 'c3', 'c4']) finish(id)
    for (const n of [1, 2, 3, 4, 5, 6]) await addAll(heavy(`h${n}`, `w.m.h${n}`, 1))
    await addAll(heavy('h7', 'w.m.h1', 1), heavy('x', 'w.n.x', 1))
    await runs(t, 'h1 h2 h3 h4 x', 'heavy ones: one for a lane, four times as many for the next wider one')
  })

  t.test('heavy jobs of wider lanes do not stand in front of those of others', async (t) => {
    const { addAll, runs, finish } = await setUp(t, { light: 4, heavy: 2 })
    for (const n of [1, 2, 3, 4]) await addAll(heavy(`h${n}`, `w.m.h${n}`, 1))
    await addAll(heavy('z1', 'z', 1), heavy('y1', 'y', 1))
    await runs(t, 'h1 z1')
    finish('h1')
    await runs(t, 'y1 z1', 'first come, first served')
    finish('z1')
    await runs(t, 'h2 y1')
  })

  t.test('a light job that turns out to be heavy waits for a heavy place', async (t) => {
    const { addAll, runs, finish, turnHeavy, order, scheduler, cancel } = await setUp(t, { light: 4, heavy: 1 })
    await addAll(heavy('a1', 'a', 1), job('b1', 'b'), job('c1', 'c'))
    await runs(t, 'a1 b1 c1')
    turnHeavy('b1')
    turnHeavy('c1')
    await runs(t, 'a1')
    await addAll(job('d1', 'd'))
    await runs(t, 'a1 d1', 'their light places are free')
    cancel('c1', new ConversionFailure('CANCELLED', 'cancelled'))
    finish('a1')
    await runs(t, 'b1 d1')
    t.strictSame([scheduler.ofKind('heavy').running, scheduler.ofKind('light').running], [1, 1])
    finish('b1')
    await runs(t, 'd1')
    // The first three begin at one time, in any order.
    t.strictSame(order.slice(3), ['d1', 'b1'], 'the cancelled one did not run again')
    t.notOk(scheduler.has('b1'))
  })

  t.test('cancels waiting and running jobs', async (t) => {
    const { addAll, cancel, runs, reasons, order, scheduler } = await setUp(t, { light: 2, heavy: 1 })
    await addAll(job('a1', 'a'), job('a2', 'a'), job('a3', 'a'))
    await runs(t, 'a1')
    const reason = new ConversionFailure('CANCELLED', 'cancelled')
    cancel('a2', reason)
    cancel('nosuch', reason)
    cancel('a1', reason)
    await runs(t, 'a3')
    t.equal(reasons.get('a1'), reason)
    t.strictSame(order, ['a1', 'a3'], 'a2 never ran')
    t.strictSame([scheduler.has('a1'), scheduler.has('a3')], [false, true])
  })

  t.test('a job that takes too long is stopped with TIMEOUT', async (t) => {
    const { add, reasons } = await setUp(t, { light: 2, heavy: 1 })
    await add(job('a1', 'a', { timeout: 30 }))
    await until(() => reasons.has('a1'))
    t.match(reasons.get('a1'), { code: 'TIMEOUT' })
  })

  t.test('closing starts no more jobs, waits, then hands back', async (t) => {
    const { addAll, runs, finish, reasons, order, scheduler } = await setUp(t, { light: 2, heavy: 1 })
    await addAll(job('a1', 'a'), job('b1', 'b'))
    await runs(t, 'a1 b1')
    await addAll(job('c1', 'c'))
    const closed = scheduler.close(200)
    t.throws(() => scheduler.requireOpen(), { code: 'SHUTTING_DOWN' })
    finish('a1')
    await closed
    t.notOk(reasons.has('a1'))
    t.ok(reasons.get('b1') instanceof HandBack)
    t.strictSame(order.sort(), ['a1', 'b1'], 'c1 stays for the next life')
  })
}
