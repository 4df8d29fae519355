/**
 * `npm run test:matrix`: converts a real file by every pair of the catalogue in the real sandbox, decodes every result,
 * and writes the passed pairs to `proved.json`. A stopped run continues where it was.
 *
 *     --from png,jpg --to pdf   only pairs of these sources and targets
 *     --only-failed             only pairs that failed in the last run
 *     --covering                only the covering part that `npm test` runs
 *     --jobs 4                  conversions at the same time (2)
 *     --fresh                   ignores the results of earlier runs
 *
 * Exits with 1 if a pair failed.
 */
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import PQueue from 'p-queue'
import { sampled } from '../fixtures/samples.ts'
import { startMachine } from '../harness/machine.ts'
import { covering, whole } from './cases.ts'
import { readProved, writeProved } from './proved.ts'
import { openState } from './state.ts'
import { summary } from './summary.ts'
import { tryCase } from './trial.ts'

const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    to: { type: 'string' },
    'only-failed': { type: 'boolean', default: false },
    covering: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '2' },
    fresh: { type: 'boolean', default: false },
  },
})

const listed = (list: string | undefined, name: string) => !list || list.split(',').includes(name)
const state = openState({ fresh: values.fresh })
await using machine = await startMachine()
const { catalogue } = machine

const all = (values.covering ? covering : whole)(catalogue, (from) => sampled.includes(from))
const wanted = all.filter(({ pair }) => listed(values.from, pair.from) && listed(values.to, pair.to))
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
    if (!outcome.passed) console.log(`${done}/${due.length} ${outcome.key} by ${outcome.engine}: ${outcome.reason}`)
    else if (done % 100 === 0) console.log(`${done}/${due.length}`)
  }),
)

const outcomes = wanted.flatMap(({ key }) => state.outcomes.get(key) ?? [])
await writeFile(state.report, JSON.stringify(outcomes, null, 1))
console.log(summary(outcomes))
console.log(`Report: ${state.report}`)

// A pair whose engine is missing here stays in the list. A pair that no plugin declares is removed.
const declared = new Set([...catalogue.pairs.values(), ...catalogue.missing].map(({ from, to }) => `${from}>${to}`))
const proved = new Set([...readProved()].filter((pair) => declared.has(pair)))
for (const { key, passed } of outcomes) if (passed && !key.includes('#')) proved.add(key)
for (const { key, passed } of outcomes) if (!passed && !key.includes('#')) proved.delete(key)
await writeProved(proved)

if (outcomes.some(({ passed }) => !passed)) process.exitCode = 1
