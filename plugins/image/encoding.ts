import { type Convert, type Fact, pageFile } from '../../engines/programs/sharp/spec.ts'
import type { Job, Run } from '../../kernel/contract.ts'
import type { Encoder, Picture } from './codec.ts'
import type { ImageOptions } from './options.ts'
import { folderOf, picture, sizes, work } from './sharp.ts'

/**
 * Encodes what sharp made of a source: one file, or several and their zip. `moving`: an animated PNG is encoded.
 * Resolves to what sharp said of the pages.
 */
export async function encodeAll(
  encoder: Encoder,
  job: Job<ImageOptions>,
  run: Run,
  source: Partial<Convert>,
  moving = false,
): Promise<Fact[]> {
  const to = moving ? 'apng' : 'png'
  const facts = await picture(run, job, {
    ...source,
    to,
    animate: moving,
    opaque: encoder.opaque ?? false,
    deep: encoder.deep ?? false,
    side: encoder.side,
    profile: false,
    encoding: { draft: true },
  })
  const file = (page: number, extension: string) => `${folderOf(job)}/${pageFile(page, extension)}`
  const pages = facts.map(([width, height, alpha, , , frames, last], page) => ({
    ...{ width, height, alpha: alpha === 1, input: file(page, to) },
    ...(frames !== undefined && last !== undefined && { animation: { frames, last } }),
    output: facts.length === 1 ? job.output : file(page, job.to),
  }))
  for (const page of pages) await encode(encoder, job, run, page, pages.length)
  const files = pages.map(({ output }) => output)
  if (files.length > 1) await work(run, { task: 'zip', files, name: job.name, output: job.pages })
  return facts
}

/** Encodes one page; with a size to aim at, at the best quality that meets its share of it. */
async function encode(
  encoder: Encoder,
  job: Job<ImageOptions>,
  run: Run,
  page: Omit<Picture, 'quality' | 'lossless'>,
  pages: number,
): Promise<void> {
  const { quality, lossless = false, targetSizeKb } = job.options
  const attempt = (at: number | undefined, file: string) =>
    encoder.encode(job, run, { ...page, output: file, quality: at, lossless })
  if (targetSizeKb === undefined) {
    await attempt(lossless ? undefined : quality, page.output)
    return
  }
  const limit = Math.floor((targetSizeKb * 1000 - (pages > 1 ? zipOverhead(job.name, pages) : 0)) / pages)
  let [low, high, smallest] = [1, quality ?? 100, Number.POSITIVE_INFINITY]
  let best: string | undefined
  for (let at = high; low <= high; at = (low + high) >> 1) {
    const file = `${job.scratch}/quality-${at}.${job.to}`
    await attempt(at, file)
    const size = (await sizes(run, [file]))[0]!
    smallest = Math.min(smallest, size)
    if (size > limit) high = at - 1
    else {
      best = file
      low = at + 1
    }
  }
  if (!best) throw unreachable(targetSizeKb, smallest)
  await work(run, { task: 'smaller', files: [best], output: page.output })
}

/** Bytes that a zip takes besides its files, at most. */
const zipOverhead = (name: string, files: number) => 128 + files * (2 * (Buffer.byteLength(name) + 16) + 140)

const unreachable = (kilobytes: number, smallest: number) =>
  Object.assign(
    new Error(
      `options.targetSizeKb of ${kilobytes} cannot be reached: the smallest possible result has ${Math.ceil(smallest / 1000)} kB; a smaller maxWidth or maxHeight would help`,
    ),
    { code: 'CONVERSION_ERROR' },
  )
