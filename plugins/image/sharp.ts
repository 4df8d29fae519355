import type { Convert, Look, Facts as Made, Spec, Target } from '../../engines/programs/sharp/spec.ts'
import { sharp } from '../../engines/sharp.ts'
import type { Args, Facts, Job, Step, StepState } from '../../kernel/contract.ts'
import type { ImageOptions } from './options.ts'

/** What sharp reads and writes itself. The worker's own code adds animated PNG. */
export const readable: readonly string[] = ['jpg', 'png', 'webp', 'gif', 'tif', 'avif', 'svg', 'svgz', 'apng']
export const writable: readonly Target[] = ['jpg', 'png', 'webp', 'avif', 'gif', 'tif', 'apng']

/** Targets in which the worker can write the frames of an animation. */
const animatable: readonly string[] = ['gif', 'webp', 'apng']

/** Whether a target supports animation. FFmpeg writes animated AVIF. */
export const moves = (to: string) => animatable.includes(to) || to === 'avif'

/** Targets that store a colour profile. In the others, colours are sRGB. */
const profiled: readonly string[] = ['jpg', 'png', 'webp', 'avif', 'tif']

/** The worker's only argument: its task. */
export const work = (spec: Spec): Args => [JSON.stringify(spec)]

/** The worker's answers of one kind. */
function answers<Answer>(lines: readonly string[], kind: 'pages' | 'sizes' | 'look'): Answer[] {
  return lines.filter((line) => line.startsWith(`{"${kind}":`)).map((line) => JSON.parse(line)[kind])
}

/** Makes pictures according to the job's options. `spec` has the differences. */
export function pictures(
  { options, ...job }: Job<ImageOptions>,
  { input }: Pick<StepState, 'input'>,
  spec: Partial<Convert> & Pick<Convert, 'to'>,
): Args {
  const { to } = spec
  return work({
    task: 'convert',
    input,
    from: job.from,
    pages: 'all',
    animate: animatable.includes(to),
    folder: `${job.scratch}/pages`,
    box: { width: options.maxWidth, height: options.maxHeight, fit: options.fit ?? 'inside' },
    opaque: to === 'jpg',
    deep: to === 'png' || to === 'tif',
    profile: profiled.includes(to),
    strip: options.stripMetadata === true,
    encoding: encoding(options),
    ...spec,
  })
}

/** Quality has no effect on lossless targets. */
export const encoding = ({ quality, lossless, progressive, targetSizeKb }: ImageOptions): Convert['encoding'] => ({
  quality: lossless ? undefined : quality,
  lossless,
  progressive,
  limit: targetSizeKb === undefined ? undefined : targetSizeKb * 1000,
})

/** Pages made by the worker. `more.exif` tells what EXIF it found, as `Exif` describes. */
export function made(lines: readonly string[]): Partial<Facts> {
  const pages = answers<Made['pages']>(lines, 'pages').flat()
  return {
    pages: pages.map(([width, height, alpha, , , frames, last]) => ({
      width,
      height,
      alpha: alpha === 1,
      ...(frames !== undefined && { more: { frames, last } }),
    })),
    more: { exif: pages[0]?.[3] },
  }
}

/** Sizes in bytes. */
export const sizesIn = (lines: readonly string[]) => answers<number[]>(lines, 'sizes').flat()

/** Reads properties of a picture without decoding it, and passes them to `more`. */
export const lookAt = (more: (seen: Look, job: Job<ImageOptions>) => Facts['more']): Step<ImageOptions> => ({
  engine: sharp,
  args: (_, { input }) => work({ task: 'look', input }),
  facts: (lines, job) => {
    const [seen] = answers<Look>(lines, 'look')
    return { moving: seen!.moving, more: { ...more(seen!, job) } }
  },
  output: false,
})

/** Finds out whether a picture is animated. */
export const look = lookAt(() => ({}))
