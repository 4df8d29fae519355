/** Bombs: each conversion ends in time and leaves nothing behind. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { installation, leftovers } from '../harness/installation.ts'
import { descendants } from '../harness/processes.ts'
import { until } from '../harness/until.ts'
import { outcomeOf } from './answers.ts'
import { bombs } from './files/bombs.ts'

t.setTimeout(90 * 60_000)

/** Seconds that a conversion may take, and limits of what it may use. */
const LIMIT = 20
const config = {
  timeouts: { light: LIMIT, heavy: LIMIT },
  limits: { memory: '700MB', disk: '400MB', files: 20_000 },
  queue: { workers: 3, heavyWorkers: 2 },
  // Warm processes would wait for the next job of their owner.
  warm: { spares: 0, reuse: false },
}

const memoryOf = async (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1]) / 1024

const { dataDir, live } = await installation(t)
const service = await live(config)
const before = await memoryOf(service.pid)

t.test('bombs', async (t) => {
  const waiting = [...bombs]
  const work = async () => {
    for (let bomb = waiting.shift(); bomb; bomb = waiting.shift()) {
      const { what, name, content, to, ends } = bomb
      const end = await outcomeOf(service, await content(), name, to)
      t.ok(ends.includes(end), `${what} (${name} to ${to}): ${end}`)
    }
  }
  await Promise.all([work(), work(), work()])
  t.equal((await fetch(`${service.base}/readyz`)).status, 200, 'it is ready')
  const after = await memoryOf(service.pid)
  t.ok(after < before + 250, `${before.toFixed(0)} MB before, ${after.toFixed(0)} MB after`)
  // No folder of a job, nothing in the bin, no process.
  await until(async () => descendants(service.pid).length === 0 && (await leftovers(dataDir)).length === 0)
  t.notMatch(service.log(), /"level":60|uncaught|conversion broke/, 'no fault of ours in the log')
})
