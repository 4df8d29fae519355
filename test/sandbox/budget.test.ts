import { availableParallelism } from 'node:os'
import t from 'tap'
import { stat } from '../harness/processes.ts'
import { MiB, processesWith, runScript, sh, stage } from '../harness/sandboxes.ts'
import { until } from '../harness/until.ts'
import { countsOf, makeEngine, once, ready, warm } from './warm-stage.ts'

t.test('a spare that still boots is used: another one would be ready later', async (t) => {
  const engine = makeEngine('slow', { seconds: 4.5 })
  const { sandboxes } = await stage(t)
  warm(sandboxes, engine)
  // Asleep, which it is for most of its boot.
  const boots = (pid: number) => /^python3/.test(stat(pid)?.name ?? '') && stat(pid)?.state === 'S'
  await until(async () => (await processesWith('time.sleep(4.5)')).some(boots))
  t.equal(countsOf(sandboxes, 'slow').booting, 1)
  const asked = Date.now()
  const { began, nice } = await once(sandboxes, 'a', engine)
  t.ok(began < asked, 'it is not one that was started for the job')
  t.equal(nice, 0, 'it works with the usual priority')
  await until(() => ready(sandboxes, 'slow'))
})

t.test('the first spares of an engine start when no job runs, and no job waits for them', async (t) => {
  const [first, second] = [makeEngine('first'), makeEngine('second')]
  const { sandboxes } = await stage(t)
  const began = performance.now()
  {
    await using box = await sandboxes.open('a', [sh])
    warm(sandboxes, first, second)
    await runScript(box, sh, 'sleep 0.3')
    // After five seconds they start in any case.
    if (performance.now() - began < 4500)
      for (const { booting, ready } of sandboxes.counts()) t.equal(booting + ready, 0, 'none has started')
    t.equal((await once(sandboxes, 'b', second)).served, 1)
  }
  for (const name of ['first', 'second']) await until(() => ready(sandboxes, name))
})

t.test('several first spares of an engine leave a core free while they boot', async (t) => {
  const engine = makeEngine('many', { seconds: 0.3 })
  const { sandboxes } = await stage(t, (settings) => ({ ...settings, warm: { ...settings.warm, spares: 3 } }))
  warm(sandboxes, engine)
  let most = 0
  await until(() => {
    most = Math.max(most, countsOf(sandboxes, 'many').booting)
    return countsOf(sandboxes, 'many').ready === 3
  })
  t.equal(most, Math.min(3, Math.max(1, availableParallelism() - 1)))
})

t.test('the first spares start although there is always a job', async (t) => {
  const [first, second] = [makeEngine('first'), makeEngine('second')]
  const { sandboxes } = await stage(t)
  await using _ = await sandboxes.open('a', [sh])
  warm(sandboxes, first, second)
  for (const name of ['first', 'second']) await until(() => ready(sandboxes, name))
})

t.test('the budget goes to the processes of the engines that are used', async (t) => {
  const [used, other] = [makeEngine('used', { size: 40, jobs: 9 }), makeEngine('other', { size: 40, jobs: 9 })]
  const { sandboxes } = await stage(t, (s) => ({ ...s, warm: { ...s.warm, memory: 110 * MiB } }))
  warm(sandboxes, used, other)
  await until(() => ready(sandboxes, 'used'))
  await once(sandboxes, 'a', used)
  await until(() => ready(sandboxes, 'used'))
  t.equal((await once(sandboxes, 'a', used)).served, 2, 'the process of its owner was kept')
  await until(() => countsOf(sandboxes, 'other').ready === 0 && countsOf(sandboxes, 'other').booting === 0)
})

t.test('before a process of an engine was measured, it is taken to use what the engine tells', async (t) => {
  const [untold, told] = [makeEngine('untold'), makeEngine('told', { memory: 30 * MiB })]
  const { sandboxes } = await stage(t, (s) => ({ ...s, warm: { ...s.warm, memory: 90 * MiB } }))
  warm(sandboxes, untold, told)
  await until(() => ready(sandboxes, 'told'))
  t.same(countsOf(sandboxes, 'untold'), { engine: 'untold', booting: 0, ready: 0, kept: 0 })
})

t.test('a process that uses more than the budget is not kept', async (t) => {
  const engine = makeEngine('large', { size: 80, jobs: 9 })
  const { sandboxes } = await stage(t, (s) => ({ ...s, warm: { ...s.warm, memory: 40 * MiB } }))
  warm(sandboxes, engine)
  t.equal((await once(sandboxes, 'a', engine)).served, 1)
  await until(() => countsOf(sandboxes, 'large').kept === 0)
  t.equal((await once(sandboxes, 'a', engine)).served, 1)
})

t.test('what a process takes at its job counts, too', async (t) => {
  const [modest, greedy] = [makeEngine('modest', { jobs: 9 }), makeEngine('greedy', { grown: 150, jobs: 9 })]
  const { sandboxes } = await stage(t, (s) => ({ ...s, warm: { ...s.warm, memory: 120 * MiB } }))
  warm(sandboxes, modest, greedy)
  // A spare was measured, so that of other processes only the resident memory is looked at.
  for (const name of ['modest', 'greedy']) await until(() => ready(sandboxes, name))
  for (const engine of [modest, greedy]) t.equal((await once(sandboxes, 'a', engine)).served, 1)
  await until(() => countsOf(sandboxes, 'greedy').kept === 0)
  t.equal((await once(sandboxes, 'a', greedy)).served, 1, 'it was not kept')
  t.equal((await once(sandboxes, 'a', modest)).served, 2, 'the small one was')
})

t.test('for a process that would not fit alone, nothing else is ended', async (t) => {
  const [large, small] = [makeEngine('large', { size: 120, seconds: 0.5, jobs: 9 }), makeEngine('small', { size: 10 })]
  const { sandboxes } = await stage(t, (s) => ({ ...s, warm: { ...s.warm, memory: 110 * MiB } }))
  const notKept = () => countsOf(sandboxes, 'large').kept === 0
  warm(sandboxes, large)
  await until(() => ready(sandboxes, 'large'))
  warm(sandboxes, small)
  // Uses up the spares of the large engine. When its size is known, it gets no others, and there is room for the small.
  await until(async () => {
    if (ready(sandboxes, 'large')) await once(sandboxes, 'a', large)
    return ready(sandboxes, 'small')
  })
  await until(notKept)
  const began = Date.now()
  // Soon after it has begun, a spare is wanted in its place, and after its end its own process is to be kept.
  t.equal((await once(sandboxes, 'a', large)).served, 1)
  await until(notKept)
  t.equal(countsOf(sandboxes, 'small').ready, 1)
  t.ok((await once(sandboxes, 'b', small)).began < began, 'the spare of the other engine is still there')
})
