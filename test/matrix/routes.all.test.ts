/** Converts by every way of each source, target and engine that `matrix.test.ts` does not show. */
import t from 'tap'
import { sampled } from '../fixtures/samples.ts'
import { startMachine } from '../harness/machine.ts'
import { covering, sampling } from './cases.ts'
import { assertAll } from './runner.ts'
import { tryCase } from './trial.ts'

t.setTimeout(60 * 60_000)

t.test('every source, target, engine, route and optimisation converts a real file', async (t) => {
  await using machine = await startMachine()
  const { catalogue } = machine
  const shown = new Set(sampling(catalogue, sampled).map(({ key }) => key))
  const cases = covering(catalogue, sampled).filter(({ key }) => !shown.has(key))
  await assertAll(t, machine, cases, tryCase)
})
