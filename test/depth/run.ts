/**
 * `npm run test:depth`: converts every specimen by the most used pairs of its format and one canonical target, in the real
 * sandbox, and compares every feature of its family. A stopped run continues where it was.
 *
 *     --family picture,model    only these families
 *     --from png,jpg --to pdf   only pairs of these sources and targets
 *     --only-failed             only cases that failed in the last run
 *     --jobs 2                  conversions at the same time (2)
 *     --fresh                   ignores the results of earlier runs
 *
 * Exits with 1 if a case failed that is not in `known.ts`.
 */
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import PQueue from 'p-queue'
import { startMachine } from '../harness/machine.ts'
import { openState } from '../matrix/state.ts'
import { casesOf } from './cases.ts'
import { families } from './families.ts'
import { known } from './known.ts'
import { realOf } from './specimen.ts'
import { summary } from './summary.ts'
import { type Outcome, tryCase } from './trial.ts'

const { values } = parseArgs({
  options: {
    family: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
    'only-failed': { type: 'boolean', default: false },
    jobs: { type: 'string', default: '2' },
    fresh: { type: 'boolean', default: false },
  },
})

const listed = (list: string | undefined, name: string) => !list || list.split(',').includes(name)
const state = openState<Outcome>({ fresh: values.fresh, name: 'depth', others: ['test/depth'] })
await using machine = await startMachine()

const wanted = []
for (const family of families.filter(({ name }) => listed(values.family, name)))
  for (const one of casesOf(family, [...family.specimens, ...(await realOf(family))], machine.catalogue))
    if (listed(values.from, one.pair.from) && listed(values.to, one.pair.to)) wanted.push(one)
const due = wanted.filter(({ key }) => {
  const before = state.outcomes.get(key)
  return values['only-failed'] ? before && !before.passed : !before?.passed
})
console.log(`${wanted.length} cases, ${wanted.length - due.length} known already`)

const queue = new PQueue({ concurrency: Number(values.jobs) })
let done = 0
await queue.addAll(
  due.map((one) => async () => {
    const outcome = await tryCase(machine, one)
    state.add(outcome)
    done++
    if (!outcome.passed)
      console.log(`${done}/${due.length} ${outcome.key} by ${outcome.engine}: ${outcome.complaints.join('; ')}`)
    else if (done % 50 === 0) console.log(`${done}/${due.length}`)
  }),
)

const outcomes = wanted.flatMap(({ key }) => state.outcomes.get(key) ?? [])
await writeFile(state.report, JSON.stringify(outcomes, null, 1))
console.log(summary(outcomes))
console.log(`Report: ${state.report}`)
if (outcomes.some(({ key, passed }) => !passed && !(key in known))) process.exitCode = 1
