import t from 'tap'
import { createDepth } from '../../../kernel/jobs/queue/depth.ts'
import { createRunning } from '../../../kernel/jobs/queue/running.ts'

t.test('a job that is delivered again while it runs can still be stopped', async (t) => {
  let runs = 0
  const running = createRunning(async (_job, signal) => {
    // The second run finds that the job is claimed.
    if (++runs === 2) return
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  })
  const shown = { lane: 'a', owner: 'a', batch: null, heavy: false, heavyConcurrency: 1 }
  const job = { id: 'conv_1', ...shown, timeout: 60_000 }
  const first = running.execute(job)
  await running.execute(job)
  t.strictSame([running.has('conv_1'), running.ids(), running.count()], [true, ['conv_1'], 1])
  t.equal(running.abort('conv_1', new Error('stop')), true)
  await first
  t.strictSame([running.has('conv_1'), running.count()], [false, 0])
})

t.test('how many jobs wait: as many as were counted last, and those that were added since', async (t) => {
  const depth = createDepth(async () => ({ light: { waiting: 2, age: 3000 }, heavy: { waiting: 0, age: 0 } }))
  t.strictSame([depth.all(), depth.ageOf('light')], [0, 0])
  await depth.refresh()
  depth.add('heavy')
  t.strictSame([depth.of('light'), depth.of('heavy'), depth.all()], [2, 1, 3])
  t.ok(depth.ageOf('light') >= 3000 && depth.ageOf('heavy') < 3000, 'the oldest one still waits')
  await depth.refresh()
  t.equal(depth.all(), 2)
})
