/**
 * `npm run test:matrix`: converts a real file by every pair of the catalogue in the real sandbox, decodes every result,
 * and writes the passed pairs to `proved.json`. A stopped run continues where it was.
 *
 *     --from png,jpg --to pdf   only pairs of these sources and targets
 *     --only-failed             only pairs that failed in the last run
 *     --covering                only the covering part that `npm run test:all` runs
 *     --jobs 4                  conversions at the same time (2)
 *     --fresh                   ignores the results of earlier runs
 *
 * Exits with 1 if a pair failed.
 */
import { sampled } from '../fixtures/samples.ts'
import { covering, whole } from './cases.ts'
import { readProved, writeProved } from './proved.ts'
import { run } from './runner.ts'
import { tryCase } from './trial.ts'

const { outcomes, catalogue } = await run({
  name: 'matrix',
  tryCase,
  cases: (machine, has) => (has('covering') ? covering : whole)(machine.catalogue, sampled),
})

// A pair whose engine is missing here stays in the list. A pair that no plugin declares is removed.
const declared = new Set([...catalogue.pairs.values(), ...catalogue.missing].map(({ from, to }) => `${from}>${to}`))
const proved = new Set([...readProved()].filter((pair) => declared.has(pair)))
for (const { key, passed } of outcomes) if (!key.includes('#')) proved[passed ? 'add' : 'delete'](key)
await writeProved(proved)
