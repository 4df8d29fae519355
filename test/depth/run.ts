/**
 * `npm run test:depth`: converts every specimen by the most used pairs of its format and one canonical target, in the
 * real sandbox, and compares every feature of its family. A stopped run continues where it was.
 *
 *     --family picture,model    only these families
 *
 * and the other options of `npm run test:matrix`. Exits with 1 if a case failed that is not in `known.ts`.
 */
import { run } from '../matrix/runner.ts'
import { casesOf } from './cases.ts'
import { families } from './families.ts'
import { known } from './known.ts'
import { realOf } from './specimen.ts'
import { tryCase } from './trial.ts'

await run({
  name: 'depth',
  others: ['test/depth'],
  tryCase,
  known,
  cases: async ({ catalogue }, _, lists) => {
    const wanted = families.filter(({ name }) => lists('family', name))
    const cases = wanted.map(async (family) =>
      casesOf(family, [...family.specimens, ...(await realOf(family))], catalogue),
    )
    return (await Promise.all(cases)).flat()
  },
})
