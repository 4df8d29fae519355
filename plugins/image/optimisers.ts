import { gifsicle } from '../../engines/gifsicle.ts'
import { jpegtran } from '../../engines/jpegtran.ts'
import { optipng } from '../../engines/optipng.ts'
import type { Look, Target } from '../../engines/programs/sharp/spec.ts'
import type { Job, Run } from '../../kernel/contract.ts'
import { avifSequenceDecoder, avifSequenceEncoder } from './animation.ts'
import { copyMetadata } from './metadata.ts'
import { type ImageOptions, options } from './options.ts'
import { pipeline } from './pipeline.ts'
import { encoding, picture } from './sharp.ts'

/** Makes files that may take the place of the source, in the scratch folder. */
export type Optimise = (job: Job<ImageOptions>, run: Run, seen: Look) => Promise<string[]>

/** Whether an option is given, and means something to the format. */
const asks =
  ({ to, options: given }: Job<ImageOptions>) =>
  (key: keyof ImageOptions) =>
    given[key] !== undefined && given[key] !== false && (options[key].effect?.includes(to) ?? true)

/** Whether the options ask for other pixels than the source's. */
export const recodes = (job: Job<ImageOptions>) =>
  (['quality', 'maxWidth', 'maxHeight', 'targetSizeKb', 'lossless'] as const).some(asks(job))

/** Whether the source itself would not be what the options ask for, however small. */
export const replaces = (job: Job<ImageOptions>) =>
  (['maxWidth', 'maxHeight', 'stripMetadata', 'progressive'] as const).some(asks(job))

/** A re-encoding by sharp, in the manner that the options ask for. */
async function resharpened(job: Job<ImageOptions>, run: Run, change: ReturnType<typeof encoding> = {}) {
  const output = `${job.scratch}/sharp.${job.to}`
  await picture(run, job, { to: job.to as Target, output, encoding: { ...encoding(job.options), ...change } })
  return output
}

export const jpg: Optimise = async (job, run, { orientation }) => {
  if (recodes(job)) return [await resharpened(job, run)]
  const output = `${job.scratch}/jpegtran.jpg`
  const strip = job.options.stripMetadata === true
  // Without its tag the picture must be turned itself, which only works without loss when its sides fit the blocks.
  const turn = strip ? (turns[orientation] ?? []) : []
  const args = ['-optimize', '-progressive', '-copy', strip ? 'icc' : 'all', turn]
  const done = run(jpegtran, args, { output }).then(() => output)
  return [turn.length === 0 ? await done : await done.catch(() => resharpened(job, run, { quality: 95 }))]
}

/** How each EXIF orientation is undone. */
const turns: Readonly<Record<number, string[]>> = {
  2: ['-perfect', '-flip', 'horizontal'],
  3: ['-perfect', '-rotate', '180'],
  4: ['-perfect', '-flip', 'vertical'],
  5: ['-perfect', '-transpose'],
  6: ['-perfect', '-rotate', '90'],
  7: ['-perfect', '-transverse'],
  8: ['-perfect', '-rotate', '270'],
}

export const png: Optimise = async (job, run, { moving }) => {
  if (moving) return []
  const input = replaces(job) || recodes(job) ? await resharpened(job, run) : job.input
  const output = `${job.scratch}/optipng.png`
  // Eight trials cost eight times the time of one, for a few percent.
  await run(optipng, [job.size > 2_000_000 ? '-o1' : '-o2', job.options.progressive && '-i1'], { input, output })
  return input === job.input ? [output] : [output, input]
}

export const gif: Optimise = async (job, run) => {
  const input = recodes(job) ? await resharpened(job, run) : job.input
  const output = `${job.scratch}/gifsicle.gif`
  const { progressive, stripMetadata } = job.options
  const strip = stripMetadata && ['--no-comments', '--no-names', '--no-extensions']
  await run(gifsicle, ['-O3', progressive && '--interlace', strip], { input, output })
  return [output]
}

/** Qualities at which a second encoding does not show. */
const invisible: Partial<Record<string, number>> = { webp: 85, avif: 75 }

export const modern: Optimise = async (job, run, { lossless }) => {
  if (recodes(job)) return [await resharpened(job, run)]
  return [
    await resharpened(job, run, lossless ? { lossless: true, quality: undefined } : { quality: invisible[job.to]! }),
  ]
}

const resequenced = pipeline({ decoder: avifSequenceDecoder, animator: avifSequenceEncoder })

/** Sequences have nothing to gain without options. */
export const avif: Optimise = async (job, run, seen) => {
  if (!seen.moving) return modern(job, run, seen)
  if (!recodes(job)) return []
  const output = `${job.scratch}/sequence.avif`
  await resequenced({ ...job, output }, run)
  return [output]
}

/** sharp turns other colours into sRGB, and floating point into 8 bits. */
export const tif: Optimise = async (job, run, { space, depth, foreign }) => {
  const exact = ['srgb', 'b-w', 'rgb16', 'grey16'].includes(space) && ['uchar', 'ushort'].includes(depth)
  if (!exact && !replaces(job) && !recodes(job)) return []
  if (foreign && space !== 'srgb' && space !== 'rgb16' && !replaces(job)) return []
  const output = await resharpened(job, run)
  if (!job.options.stripMetadata && job.options.targetSizeKb === undefined) await copyMetadata(job, run, output)
  return [output]
}
