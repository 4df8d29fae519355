import type { Answer, Convert, Encoding, Holds, Look, Spec } from '../../engines/programs/sharp/spec.ts'
import { sharp } from '../../engines/sharp.ts'
import type { Args, Facts, StepState } from '../../kernel/contract.ts'
import { drawings } from '../formats/drawing.ts'
import { extensions } from '../formats/family.ts'
import { pages as paper } from '../formats/page/pages.ts'
import { readable as pictureFormats } from '../formats/raster/pictures.ts'
import type { ImageFacts, ImageJob, ImageStep } from './facts.ts'
import { traitsOf } from './targets.ts'

/** What sharp reads itself. The worker's own code adds animated PNG. */
export const readable: readonly string[] = [...pictureFormats, 'svg', 'svgz']

/** The worker's only argument: its task. */
export const work = (spec: Spec): Args => [JSON.stringify(spec)]

/** The lines of the worker's answer. */
const answers = (lines: readonly string[]): Answer[] =>
  lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Answer)

/** Makes pictures according to the job's options. `spec` has the differences. */
export function pictures(
  job: ImageJob,
  { input }: Pick<StepState, 'input'>,
  spec: Partial<Convert> & Pick<Convert, 'to'>,
): Args {
  const { maxWidth, maxHeight, fit = 'inside', stripMetadata } = job.options
  const target = traitsOf(spec.to)
  return work({
    task: 'convert',
    input,
    from: job.from,
    pages: 'all',
    animate: target.frames === 'sharp',
    folder: `${job.scratch}/pages`,
    box: { width: maxWidth, height: maxHeight, fit },
    holds: holds(target),
    strip: stripMetadata === true,
    encoding: encoding(job),
    ...spec,
  })
}

/** What the worker must know of a target. */
export const holds = ({ opaque, deep, profile, grey, maxSide, shrinks }: Holds): Holds => ({
  opaque,
  deep,
  profile,
  grey,
  maxSide,
  shrinks,
})

/** How the worker encodes. A search for a size begins at the client's quality only. */
export const encoding = ({ to, options }: ImageJob): Encoding => {
  const { quality, lossless, progressive, targetSizeKb } = options
  if (targetSizeKb !== undefined) return { quality, lossless, progressive, limit: targetSizeKb * 1000 }
  return { quality: quality ?? traitsOf(to).quality, lossless, progressive }
}

/** Drawings and pages have pixels only when they are drawn. */
const drawn: readonly string[] = extensions(drawings, paper)

/** Pages made by the worker, and what it found on the first. */
export function made(lines: readonly string[], { from }: Pick<ImageJob, 'from'>): Partial<Facts<ImageFacts>> {
  const pages = answers(lines).flatMap((answer) => answer.pages ?? [])
  const [first] = pages
  if (!first) return { pages }
  const { exif, frames, source } = first
  const size = !drawn.includes(from) && { width: source.width, height: source.height }
  const count = pages.length
  return {
    pages: pages.map(({ width, height, alpha }) => ({ width, height, alpha })),
    more: {
      exif,
      ...(frames && { frames }),
      clear: pages.some(({ source }) => source.alpha),
      stilled: (source.frames ?? 1) > (source.kept ?? 1),
    },
    source: { pages: count, frames: source.frames, ...size },
    result: { pages: count, frames: source.kept, width: first.width, height: first.height },
  }
}

/** Sizes in bytes. */
export const sizesIn = (lines: readonly string[]) => answers(lines).flatMap(({ sizes }) => sizes ?? [])

/** Reads properties of a picture without decoding it, and passes them to `more`. */
export const lookAt = (more: (seen: Look, job: ImageJob) => Partial<ImageFacts>): ImageStep => ({
  engine: sharp,
  args: (_, { input }) => work({ task: 'look', input }),
  facts: (lines, job) => {
    const seen = answers(lines).find((answer) => answer.look)?.look
    if (!seen) throw new Error('The worker of sharp described nothing')
    return { moving: seen.moving, more: more(seen, job) }
  },
  output: false,
})

/** Finds out whether a picture is animated. */
export const look = lookAt(() => ({}))
