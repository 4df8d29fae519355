import { writeFile } from 'node:fs/promises'
import type { OutputInfo } from 'sharp'
import { bestWithin } from '../../../kernel/kit.ts'
import { Refusal } from '../refusal/refusal.ts'
import { asApng, writeApng } from './apng-writer.ts'
import { settled, upright } from './settings.ts'
import { fitted, shape } from './shape.ts'
import type { Picture } from './source.ts'
import type { Convert, MadePage } from './spec.ts'
import { resolvedJpeg, resolvePng } from './stored-resolution.ts'

/** Encodes one picture to a file. */
export async function encode(picture: Picture, spec: Convert, file: string): Promise<MadePage> {
  const { width, height } = fitted(picture, spec)
  const { maxSide = Infinity, format = spec.to } = spec.holds
  if (Math.max(width, height) > maxSide)
    throw new Refusal(
      `The picture is ${width} × ${height} pixels, and ${format} can have at most ${maxSide} per side: set maxWidth or maxHeight`,
    )
  const pixels = width * height * (picture.animation?.frames ?? 1)
  if (spec.to === 'apng' && picture.animation) return writeApng(shape(picture, spec), picture.animation, file)
  if (spec.to === 'apng') {
    const { data, info } = await settled(shape(picture, spec), picture, spec, pixels).toBuffer({
      resolveWithObject: true,
    })
    await writeFile(file, asApng(data))
    return made(picture, info)
  }
  if (spec.encoding.limit !== undefined) return searched(picture, spec, pixels, file)
  if (spec.to === 'jpg' && picture.resolution) {
    const { data, info } = await buffered(picture, spec, pixels)
    await writeFile(file, data)
    return made(picture, info)
  }
  const info = await settled(shape(picture, spec), picture, spec, pixels).toFile(file)
  if (spec.to === 'png') await resolvePng(file, upright(picture), spec.encoding.draft === true)
  return made(picture, info)
}

/** Encodes in memory, and tells a JPEG its resolution, which sharp does not. */
async function buffered(picture: Picture, spec: Convert, pixels: number) {
  const { data, info } = await settled(shape(picture, spec), picture, spec, pixels).toBuffer({
    resolveWithObject: true,
  })
  const resolution = spec.to === 'jpg' && upright(picture)
  if (!resolution) return { data, info }
  const resolved = resolvedJpeg(data, resolution)
  return { data: resolved, info: { ...info, size: resolved.length } }
}

/** Finds the best quality that keeps the result within the limit. */
async function searched(picture: Picture, spec: Convert, pixels: number, file: string): Promise<MadePage> {
  const limit = spec.encoding.limit!
  const attempt = async (quality: number) => {
    const { data, info } = await buffered(picture, { ...spec, encoding: { ...spec.encoding, quality } }, pixels)
    return { data, info, size: info.size }
  }
  const { best, smallest } = await bestWithin(limit, spec.encoding.quality ?? 100, attempt)
  if (!best) throw unreachable(limit, smallest)
  await writeFile(file, best.data)
  return made(picture, best.info)
}

/** The refusal if no quality keeps the limit. Sizes are in bytes. */
const unreachable = (limit: number, smallest: number) =>
  new Refusal(
    `options.targetSizeKb cannot be reached: the smallest possible size at these dimensions is ${Math.ceil(smallest / 1000)} kB instead of ${Math.floor(limit / 1000)} kB; a smaller maxWidth or maxHeight would help`,
  )

function made({ meta, exif }: Picture, { width, height, pageHeight, channels }: OutputInfo): MadePage {
  return {
    width,
    height: pageHeight ?? height,
    alpha: channels % 2 === 0,
    exif: exif ?? (meta.exif ? 'found' : 'none'),
  }
}
