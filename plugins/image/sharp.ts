import type { Convert, Fact, Facts, Look, Spec, Target } from '../../engines/programs/sharp/spec.ts'
import { sharp } from '../../engines/sharp.ts'
import type { Job, Run } from '../../kernel/contract.ts'
import type { ImageOptions } from './options.ts'

/** What sharp reads and writes itself; animated PNG included, by the worker's own code. */
export const readable: readonly string[] = ['jpg', 'png', 'webp', 'gif', 'tif', 'avif', 'svg', 'svgz', 'apng']
export const writable: readonly Target[] = ['jpg', 'png', 'webp', 'avif', 'gif', 'tif', 'apng']

/** Targets that hold the frames of an animation; of these the worker writes all but avif. */
export const animatable: readonly string[] = ['gif', 'webp', 'apng']

/** Targets that keep a colour profile: in the others, colours are sRGB. */
const profiled: readonly string[] = ['jpg', 'png', 'webp', 'avif', 'tif']

/** Has the worker do one thing; gives the lines that it answers with. */
export async function work(run: Run, spec: Spec): Promise<object[]> {
  const lines = await run(sharp, [JSON.stringify(spec)])
  return lines.filter((line) => /^\{"(pages|sizes|look)":/.test(line)).map((line) => JSON.parse(line))
}

/** Makes pictures out of what sharp reads, in the manner that the job's options ask for. */
export async function picture(
  run: Run,
  job: Job<ImageOptions>,
  spec: Partial<Convert> & Pick<Convert, 'to'>,
): Promise<Fact[]> {
  const { to } = spec
  const { options } = job
  const answers = await work(run, {
    task: 'convert',
    input: job.input,
    from: job.from,
    pages: 'all',
    animate: animatable.includes(to),
    folder: folderOf(job),
    box: { width: options.maxWidth, height: options.maxHeight, fit: options.fit ?? 'inside' },
    opaque: to === 'jpg',
    deep: to === 'png' || to === 'tif',
    profile: profiled.includes(to),
    strip: options.stripMetadata === true,
    encoding: encoding(options),
    ...spec,
  })
  return (answers as Facts[]).flatMap(({ pages }) => pages)
}

/** Where files of one page each are: those that a decoder made, or those for an encoder. */
export const folderOf = (job: Job, name: 'decoded' | 'pages' = 'pages') => `${job.scratch}/${name}`

/** Quality does not matter to what is lossless. */
export const encoding = ({ quality, lossless, progressive, targetSizeKb }: ImageOptions): Convert['encoding'] => ({
  quality: lossless ? undefined : quality,
  lossless,
  progressive,
  limit: targetSizeKb === undefined ? undefined : targetSizeKb * 1000,
})

/** Sizes in bytes. */
export const sizes = async (run: Run, files: readonly string[]) =>
  ((await work(run, { task: 'sizes', files })) as { sizes: number[] }[]).flatMap(({ sizes }) => sizes)

export const look = async (run: Run, input: string) =>
  ((await work(run, { task: 'look', input })) as { look: Look }[])[0]!.look
