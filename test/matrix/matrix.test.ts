/** Compares the catalogue with the pairs that the whole matrix has proved, and converts by a sample of them. */
import t from 'tap'
import { sample, sampled } from '../fixtures/samples.ts'
import { startMachine } from '../harness/machine.ts'
import { sampling } from './cases.ts'
import { readProved } from './proved.ts'
import { assertAll } from './runner.ts'
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

  await t.test('every source, target and engine converts a real file', async (t) => {
    await assertAll(t, machine, sampling(catalogue, sampled), tryCase)
  })

  await t.test('the sample of every source is detected', async (t) => {
    for (const format of sampled) t.equal(await machine.detect((await sample(format)).path, format), format)
  })
})

function keyOf({ from, to }: { from: string; to: string }): string {
  return `${from}>${to}`
}
