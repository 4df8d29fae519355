import type { Encoding, Target } from '../../engines/programs/sharp/spec.ts'
import { sharp } from '../../engines/sharp.ts'
import type { Facts } from '../../kernel/contract.ts'
import { asks, replacing } from './asked.ts'
import type { ImageFacts, ImageJob, ImageStep } from './facts.ts'
import { encoding, pictures, work } from './sharp.ts'

/** Encodes the source again with sharp according to the options. `change` has the differences. */
export const recode = (
  more: Pick<ImageStep, 'when' | 'output'>,
  change: (job: ImageJob, facts: Facts<ImageFacts>) => Encoding = () => ({}),
): ImageStep => ({
  output: 'sharp.{to}',
  ...more,
  engine: sharp,
  input: 'source',
  args: (job, now) =>
    pictures(job, now, {
      to: job.to as Target,
      output: now.output,
      encoding: { ...encoding(job), ...change(job, now.facts) },
    }),
})

/**
 * Makes the smallest file the result: the source, if it meets the options, or one of the candidates. Missing candidates
 * are ignored.
 */
export const smallest = (candidates: (job: ImageJob, facts: Facts<ImageFacts>) => readonly string[]): ImageStep => ({
  engine: sharp,
  input: 'source',
  args: (job, { input, output, facts }) => {
    const made = candidates(job, facts).map((name) => `${job.scratch}/${name}.${job.to}`)
    const original = asks(replacing, job) && made.length > 0 ? [] : [input]
    return work({ task: 'smaller', files: [...original, ...made], output })
  },
})
