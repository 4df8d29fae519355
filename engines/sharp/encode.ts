import { writeFile } from 'node:fs/promises'
import type { Metadata, OutputInfo, Sharp } from 'sharp'
import { writeApng } from './apng-writer.ts'
import { Refusal } from './failure.ts'
import { fitted, shape } from './shape.ts'
import type { Picture } from './source.ts'
import type { Convert, Encoding, Fact } from './spec.ts'

/** Pixels a side that a target can hold. */
const sides: Partial<Record<Convert['to'], number>> = { jpg: 65_535, webp: 16_383, avif: 16_384, gif: 65_535 }

/** Encodes one picture into a file. */
export async function encode(picture: Picture, spec: Convert, file: string): Promise<Fact> {
  const { width, height } = fitted(picture, spec)
  const side = sides[spec.to] ?? Infinity
  if (Math.max(width, height) > side)
    throw new Refusal(
      'CONVERSION_ERROR',
      `The picture is ${width} × ${height} pixels, and ${spec.to} holds at most ${side} a side: set maxWidth or maxHeight`,
    )
  const pixels = width * height * (picture.animation?.frames ?? 1)
  if (spec.to === 'apng' && picture.animation) return writeApng(shape(picture, spec), picture.animation, file)
  if (spec.encoding.limit !== undefined) return searched(picture, spec, pixels, file)
  return fact(await settled(shape(picture, spec), picture, spec, pixels).toFile(file))
}

/** The best quality whose result is not larger than the limit. Sizes grow with quality. */
async function searched(picture: Picture, spec: Convert, pixels: number, file: string): Promise<Fact> {
  const limit = spec.encoding.limit!
  const attempt = (quality: number) => {
    const trial = { ...spec, encoding: { ...spec.encoding, quality } }
    return settled(shape(picture, trial), picture, trial, pixels).toBuffer({ resolveWithObject: true })
  }
  let low = 1
  let high = spec.encoding.quality ?? 100
  let best: Awaited<ReturnType<typeof attempt>> | undefined
  let smallest = Infinity
  for (let quality = high; low <= high; quality = (low + high) >> 1) {
    const result = await attempt(quality)
    smallest = Math.min(smallest, result.info.size)
    if (result.info.size > limit) high = quality - 1
    else {
      best = result
      low = quality + 1
    }
  }
  if (!best) throw unreachable(limit, smallest)
  await writeFile(file, best.data)
  return fact(best.info)
}

/** The message for a size that no quality reaches. Sizes in bytes. */
export const unreachable = (limit: number, smallest: number) =>
  new Refusal(
    'CONVERSION_ERROR',
    `options.targetSizeKb cannot be reached: the smallest possible size at these dimensions is ${Math.ceil(smallest / 1000)} kB instead of ${Math.floor(limit / 1000)} kB; a smaller maxWidth or maxHeight would help`,
  )

function fact({ width, height, pageHeight, channels, size }: OutputInfo): Fact {
  return [width, pageHeight ?? height, channels === 2 || channels === 4 ? 1 : 0, size]
}

function settled(image: Sharp, { meta, animation }: Picture, spec: Convert, pixels: number): Sharp {
  const { quality, lossless = false, progressive = false, draft }: Encoding = spec.encoding
  const frames = animation && { delay: animation.delay, loop: animation.loop }
  if (spec.to === 'jpg') return image.jpeg(jpeg(quality ?? 82, progressive))
  if (spec.to === 'webp')
    return image.webp({ quality: quality ?? 80, lossless, exact: lossless, effort: pixels > 4e6 ? 2 : 4, ...frames })
  if (spec.to === 'avif') return image.avif(avif(quality ?? 55, lossless, pixels))
  if (spec.to === 'gif')
    return image.gif({ progressive, effort: pixels > 5e5 ? 3 : 7, keepDuplicateFrames: true, ...frames })
  if (spec.to === 'tif') return tif(image, bilevel(meta) && !spec.box.width && !spec.box.height)
  if (draft) return image.png({ compressionLevel: 1 })
  return quality ? image.png({ palette: true, quality, progressive }) : image.png({ progressive })
}

/** Half the colour resolution does not show, but where quality is asked for. */
const jpeg = (quality: number, progressive: boolean) =>
  ({ quality, progressive, chromaSubsampling: quality < 90 ? '4:2:0' : '4:4:4' }) as const

const bilevel = ({ bitsPerSample, channels, space }: Metadata) =>
  bitsPerSample === 1 && channels === 1 && space === 'b-w'

/** Fax compression for scans that were black and white already. */
const tif = (image: Sharp, fax: boolean) =>
  fax ? image.tiff({ compression: 'ccittfax4', bitdepth: 1 }) : image.tiff({ compression: 'lzw' })

/**
 * The default effort 4 takes four times as long as 3 for files that are 5 % smaller. Large pictures are photographs,
 * whose colours cameras halve themselves; in a seventeenth of the time they get a tenth larger.
 */
const avif = (quality: number, lossless: boolean, pixels: number) => {
  if (lossless) return { lossless, quality: 100, effort: pixels <= 4e6 ? 2 : 0 }
  return pixels <= 4e6 ? { quality, effort: 3 } : { quality, effort: 1, chromaSubsampling: '4:2:0' }
}
