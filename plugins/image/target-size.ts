import { zipOverhead } from '../../engines/programs/sharp/spec.ts'
import { sharp } from '../../engines/sharp.ts'
import type { Args, Run, StepPlace, StepState } from '../../kernel/contract.ts'
import { bestWithin, fail } from '../../kernel/kit.ts'
import type { ImageFacts, ImageJob, ImageStep } from './facts.ts'
import type { ImageOptions } from './options.ts'
import { sizesIn, work } from './sharp.ts'

interface Encoding extends StepPlace<ImageOptions, ImageFacts> {
  args: (job: ImageJob, now: StepState<ImageFacts>) => Args
}

const free = { options: { targetSizeKb: [undefined] } }

/**
 * The steps of a lossy encoder, of which only one runs: a single run at the job's quality or, with `targetSizeKb`, a
 * search for the best quality.
 */
export const sized = ({ args, when, ...place }: Encoding): ImageStep[] => [
  { ...place, args, when: { ...when, ...free } },
  { ...place, uses: [sharp], when: { ...when, not: free }, convert: search(place, args) },
]

/** Encodes a page at the best quality within its share of the size. */
const search =
  ({ engine }: StepPlace, args: Encoding['args']) =>
  async (job: ImageJob, run: Run, now: StepState<ImageFacts>) => {
    const { quality: ceiling = 100, targetSizeKb = 0 } = job.options
    const { length } = now.facts.pages
    const room = targetSizeKb * 1000 - (length > 1 ? zipOverhead(job.name, length) : 0)
    const { best, smallest } = await bestWithin(Math.floor(room / length), ceiling, async (quality) => {
      const file = `${job.scratch}/quality-${quality}.${job.to}`
      const trial = { ...job, options: { ...job.options, quality } }
      await run(engine, args(trial, { ...now, output: file }), { output: file })
      const [size] = sizesIn(await run(sharp, work({ task: 'sizes', files: [file] })))
      return { file, size: size! }
    })
    if (!best) throw unreachable(targetSizeKb, smallest)
    await run(sharp, work({ task: 'smaller', files: [best.file], output: now.output }))
    return undefined
  }

/** Sizes in kB of 1,000 bytes, and in bytes. */
const unreachable = (kilobytes: number, smallest: number) =>
  fail(
    'CONVERSION_ERROR',
    `options.targetSizeKb of ${kilobytes} cannot be reached: the smallest possible result has ${Math.ceil(smallest / 1000)} kB; a smaller maxWidth or maxHeight would help`,
  )
