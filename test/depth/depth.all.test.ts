/** Proof in depth, the bounded part: the most used pairs, every feature and every maker of specimens. */
import t from 'tap'
import { startMachine } from '../harness/machine.ts'
import { assertAll } from '../matrix/runner.ts'
import { casesOf, selected } from './cases.ts'
import { families } from './families.ts'
import { tryCase } from './trial.ts'

t.setTimeout(60 * 60_000)

t.test('the most used pairs keep every feature', async (t) => {
  await using machine = await startMachine()
  const all = families.flatMap((family) => casesOf(family, family.specimens, machine.catalogue))
  await assertAll(t, machine, selected(all), tryCase)
})
