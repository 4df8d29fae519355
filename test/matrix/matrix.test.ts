/** Runs the covering part of the matrix, and compares the catalogue with the pairs that the whole matrix has proved. */
import PQueue from 'p-queue'
import t from 'tap'
import { sampled } from '../fixtures/samples.ts'
import { startMachine } from '../harness/machine.ts'
import { covering } from './cases.ts'
import { readProved } from './proved.ts'
import { tryCase } from './trial.ts'

t.setTimeout(60 * 60_000)

t.test('the matrix', async (t) => {
  await using machine = await startMachine()
  const { catalogue } = machine
  const keys = new Set([...catalogue.pairs.values()].filter(({ methods }) => methods.length > 0).map(keyOf))
  const proved = readProved()
  const absent = new Set(catalogue.missing.map(keyOf))

  await t.test('every pair that this machine offers has been proved', async (t) => {
    t.strictSame([...keys].filter((key) => !proved.has(key)).sort(), [], 'npm run test:matrix proves them')
  })

  await t.test('every proved pair is offered', async (t) => {
    if (absent.size > 0) t.comment(`left out, their engines are missing here: ${[...absent].sort().join(' ')}`)
    t.strictSame([...proved].filter((key) => !keys.has(key) && !absent.has(key)).sort(), [])
  })

  await t.test('every source, target, engine and way converts a real file', async (t) => {
    const cases = covering(catalogue, (from) => sampled.includes(from))
    const queue = new PQueue({ concurrency: 2 })
    await queue.addAll(
      cases.map((one) => async () => {
        const { key, engine, passed, reason } = await tryCase(machine, one)
        t.ok(passed, `${key} by ${engine}`, { reason })
      }),
    )
  })
})

function keyOf({ from, to }: { from: string; to: string }): string {
  return `${from}>${to}`
}
