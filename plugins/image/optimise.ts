import { exiftool } from '../../engines/exiftool.ts'
import { gifsicle } from '../../engines/gifsicle.ts'
import { jpegtran } from '../../engines/jpegtran.ts'
import { optipng } from '../../engines/optipng.ts'
import type { Look, Target } from '../../engines/sharp/spec.ts'
import { sharp } from '../../engines/sharp.ts'
import type { Engine, Job, Route, Run } from '../../kernel/contract.ts'
import { decoders } from './decoders.ts'
import { encoders } from './encoders.ts'
import { copyMetadata } from './metadata.ts'
import type { ImageOptions } from './options.ts'
import { pipeline } from './pipeline.ts'
import { encoding, look, picture, work } from './sharp.ts'

type Optimise = (job: Job<ImageOptions>, run: Run, seen: Look) => Promise<string[]>

/** Whether the options ask for other pixels than the source's. */
const recodes = ({ quality, maxWidth, maxHeight, targetSizeKb, lossless }: ImageOptions) =>
  lossless === true || [quality, maxWidth, maxHeight, targetSizeKb].some((option) => option !== undefined)

/** Whether the source itself would not be what the options ask for, however small. */
const replaces = ({ maxWidth, maxHeight, stripMetadata, progressive }: ImageOptions) =>
  maxWidth !== undefined || maxHeight !== undefined || stripMetadata === true || progressive === true

/** A re-encoding by sharp, in the manner that the options ask for. */
async function resharpened(job: Job<ImageOptions>, run: Run, change: ReturnType<typeof encoding> = {}) {
  const output = `${job.scratch}/sharp.${job.to}`
  await picture(run, job, { to: job.to as Target, output, encoding: { ...encoding(job.options), ...change } })
  return output
}

const jpg: Optimise = async (job, run, { orientation }) => {
  if (recodes(job.options)) return [await resharpened(job, run)]
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

const png: Optimise = async (job, run, { moving }) => {
  if (moving) return []
  const input = replaces(job.options) || recodes(job.options) ? await resharpened(job, run) : job.input
  const output = `${job.scratch}/optipng.png`
  // Eight trials cost eight times the time of one, for a few percent.
  await run(optipng, [job.size > 2_000_000 ? '-o1' : '-o2', job.options.progressive && '-i1'], { input, output })
  return input === job.input ? [output] : [output, input]
}

const gif: Optimise = async (job, run) => {
  const input = recodes(job.options) ? await resharpened(job, run) : job.input
  const output = `${job.scratch}/gifsicle.gif`
  const { progressive, stripMetadata } = job.options
  const strip = stripMetadata && ['--no-comments', '--no-names', '--no-extensions']
  await run(gifsicle, ['-O3', progressive && '--interlace', strip], { input, output })
  return [output]
}

/** Qualities at which a second encoding does not show. */
const invisible: Partial<Record<string, number>> = { webp: 85, avif: 75 }

const modern: Optimise = async (job, run, { lossless }) => {
  if (recodes(job.options)) return [await resharpened(job, run)]
  return [
    await resharpened(job, run, lossless ? { lossless: true, quality: undefined } : { quality: invisible[job.to]! }),
  ]
}

/** sharp turns other colours into sRGB, and floating point into 8 bits. */
const tif: Optimise = async (job, run, { space, depth, foreign }) => {
  const exact = ['srgb', 'b-w', 'rgb16', 'grey16'].includes(space) && ['uchar', 'ushort'].includes(depth)
  if (!exact && !replaces(job.options) && !recodes(job.options)) return []
  if (foreign && space !== 'srgb' && space !== 'rgb16' && !replaces(job.options)) return []
  const output = await resharpened(job, run)
  if (!job.options.stripMetadata && job.options.targetSizeKb === undefined) await copyMetadata(job, run, output)
  return [output]
}

const route = (format: string, optimise: Optimise, ...engines: [Engine, ...Engine[]]): Route<ImageOptions> => ({
  transform: [format],
  engine: engines[0],
  uses: [...new Set([...engines.slice(1), sharp])].filter((engine) => engine !== engines[0]),
  convert: async (job, run) => {
    const candidates = await optimise(job, run, await look(run, job.input))
    const original = replaces(job.options) && candidates.length > 0 ? [] : [job.input]
    await work(run, { task: 'smaller', files: [...original, ...candidates], output: job.output })
  },
})

/** For a format of a colleague's codecs: nothing to gain without options, and one picture. */
function coded(format: string): Route<ImageOptions>[] {
  const decoder = decoders.find(({ from }) => from.includes(format))
  const encoder = encoders.find(({ to }) => to.includes(format))
  if (!decoder || !encoder) return []
  const convert = pipeline({ decoder: { ...decoder, paged: false }, encoder })
  return [
    {
      transform: [format],
      engine: encoder.engine,
      needs: encoder.needs ?? [],
      uses: [...new Set([decoder.engine, ...(decoder.uses ?? []), ...(encoder.uses ?? []), sharp, exiftool])],
      convert: async (job, run) => {
        const output = `${job.scratch}/result.${format}`
        const asked = replaces(job.options) || recodes(job.options)
        if (asked) await convert({ ...job, output }, run)
        const files = replaces(job.options) ? [output] : asked ? [job.input, output] : [job.input]
        await work(run, { task: 'smaller', files, output: job.output })
      },
    },
  ]
}

/** Each format made smaller as itself; what does not get smaller comes back as it was. */
export const optimisations: Route<ImageOptions>[] = [
  route('jpg', jpg, jpegtran),
  route('png', png, optipng),
  route('gif', gif, gifsicle),
  route('webp', modern, sharp),
  route('avif', modern, sharp),
  route('tif', tif, sharp, exiftool),
  ...coded('heic'),
  ...coded('jxl'),
]
