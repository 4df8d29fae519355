/**
 * `npm run test:depth`: converts every specimen by the most used pairs of its format and one canonical target, in the
 * real sandbox, and compares every feature of its family. A stopped run continues where it was.
 *
 *     --family picture,model    only these families
 *
 * and the other options of `npm run test:matrix`. Exits with 1 if a case failed that is not known.
 */
import { run } from '../matrix/runner.ts'
import { casesOf } from './cases.ts'
import { families } from './families.ts'
import { realOf } from './specimen.ts'
import { tryCase } from './trial.ts'

/** Real files that fail, and why. Remove what is mended. */
const known = Object.fromEntries(
  ['mp3', 'webm', 'mkv', 'mov', 'avi'].map((to) => [
    `video-audio-archive-imovie.mp4>${to}`,
    'FFmpeg does not read titles as 3GPP has them',
  ]),
)

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
