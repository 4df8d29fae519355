import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Metadata, Sharp, SharpOptions } from 'sharp'
import { Refusal } from '../refusal/refusal.ts'
import { apngFrames, isApng } from './apng.ts'
import { drawing } from './drawing.ts'
import { reading, sharp } from './library.ts'
import { refuseBright } from './nclx.ts'
import { type Resolution, resolution } from './resolution.ts'
import type { Exif, Opening } from './spec.ts'
import { resolutionOf } from './stored-resolution.ts'
import { tiffPages } from './tiff-tags.ts'
import { delaysOf } from './timing.ts'
import { refuseTruncated } from './whole.ts'

/** Most pages of one file. More are a sign of an attack or a mistake. */
const maxPages = 1000

/** One page, or one animation. */
export interface Picture {
  /** Starts a new pipeline with it. `more` overrides options for reading. */
  open: (more?: SharpOptions) => Sharp
  /** Size of a page or frame in pixels, after rotation. */
  width: number
  height: number
  /** Whether there is EXIF, if `meta` does not show it. */
  exif?: Exif
  animation?: { frames: number; delay: number[]; loop: number }
  /** As it is stored, before rotation. */
  resolution?: Resolution | undefined
  /** The file, if it holds only this picture. */
  file?: string
  /** Number of the compression of a TIFF page. */
  compression?: number | undefined
  meta: Metadata
}

/** The pages of a source. Each is opened only when it is needed. */
export async function pictures(spec: Opening): Promise<(() => Promise<Picture>)[]> {
  if (spec.from === 'svg' || spec.from === 'svgz') return [() => rendered(spec)]
  const files = await filesOf(spec)
  if (files.length > 1) return files.map((file) => () => page(file, 0))
  const file = files[0]!
  const meta = await sharp(file, reading).metadata()
  if (meta.format === 'svg') throw disguised()
  refuseNumbers(meta)
  if (meta.format === 'heif' || spec.from === 'png') await refuseBright(file, meta.format)
  await refuseTruncated(file, spec.from === 'apng' ? 'apng' : meta.format)
  if (meta.format === 'tiff' && spec.pages === 'all') {
    const count = meta.pages ?? 1
    if (count > maxPages) throw tooManyPages()
    const pages = await tiffPages(file)
    const numbers = Array.from({ length: count }, (_, index) => index)
    return numbers.filter((index) => index === 0 || !pages[index]?.reduced).map((index) => () => page(file, index))
  }
  if (spec.animate && moves(meta)) return [() => animation(file, spec.timing)]
  if (spec.animate && meta.format === 'png' && (await isApng(file))) return [() => unfolded(file, meta, spec.timing)]
  return [() => still(file, meta)]
}

/** Whether a file is an animation that sharp can read completely. */
export const moves = ({ format, pages = 1 }: Metadata) => (format === 'gif' || format === 'webp') && pages > 1

/** The files of a folder in numeric order. Undefined if the path is a file. */
export async function filesIn(path: string): Promise<string[] | undefined> {
  const names = await readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTDIR') return undefined
    throw error
  })
  return names?.sort(new Intl.Collator('en', { numeric: true }).compare).map((name) => join(path, name))
}

async function filesOf({ input, pages, from }: Opening): Promise<string[]> {
  const files = (await filesIn(input)) ?? [input]
  if (files.length === 0) throw new Refusal(`The ${from} file contains no picture`)
  if (files.length > maxPages) throw tooManyPages()
  if (pages === 'all' || files.length === 1) return files
  return pages === 'first' ? files.slice(0, 1) : [await largest(files)]
}

async function largest(files: string[]): Promise<string> {
  const areas = await Promise.all(
    files.map(async (file) => {
      const { width, height } = await sharp(file, reading).metadata()
      return { file, area: width * height }
    }),
  )
  return areas.reduce((best, one) => (one.area > best.area ? one : best)).file
}

async function page(file: string, index: number): Promise<Picture> {
  const options = { ...reading, page: index, pages: 1 }
  const meta = await sharp(file, options).metadata()
  if (meta.format === 'svg') throw disguised()
  if (meta.format !== 'tiff') return still(file, meta)
  const { described, resolution, compression, fullChroma, oldTiles } = (await tiffPages(file))[index] ?? {}
  if (fullChroma) throw new Refusal('The TIFF file holds luma and chroma of the same size')
  if (oldTiles) throw new Refusal('The TIFF file holds tiles of old-style JPEG')
  const made = picture((more) => sharp(file, { ...options, ...more }), meta)
  return { ...made, resolution, compression, ...(described && { exif: 'unknown' }) }
}

async function still(file: string, meta: Metadata): Promise<Picture> {
  const made = picture((more) => sharp(file, { ...reading, ...more }), meta)
  return { ...made, file, resolution: await resolutionOf(file, meta) }
}

function picture(open: Picture['open'], meta: Metadata): Picture {
  return { open, meta, width: meta.autoOrient.width, height: meta.autoOrient.height }
}

async function rendered(spec: Opening): Promise<Picture> {
  const { document, density, dots } = await drawing(spec)
  const options = { ...reading, density }
  const made = picture((more) => sharp(document, { ...options, ...more }), await sharp(document, options).metadata())
  return { ...made, resolution: resolution(dots, dots) }
}

async function animation(file: string, timing: string | undefined): Promise<Picture> {
  const options = { ...reading, animated: true }
  const meta = await sharp(file, options).metadata()
  const frames = meta.pages ?? 1
  const height = meta.pageHeight ?? meta.height
  const delay = await delaysOf(timing, meta.delay ?? [])
  return {
    open: (more) => sharp(file, { ...options, ...more }),
    meta,
    width: meta.width,
    height,
    animation: { frames, delay, loop: meta.loop ?? 0 },
  }
}

async function unfolded(file: string, meta: Metadata, timing: string | undefined): Promise<Picture> {
  const { width, height } = meta
  const { pixels, delay: own, loop } = await apngFrames(file, width, height)
  const delay = await delaysOf(timing, own)
  const raw = { width, height: height * delay.length, channels: 4, pageHeight: height } as const
  const frames = { frames: delay.length, delay, loop }
  return { open: () => sharp(pixels, { ...reading, raw }), meta, width, height, animation: frames }
}

/** libvips takes all numbers for levels of 0 to 255 or 65,535, also fractions and signed ones. */
function refuseNumbers({ format, depth }: Metadata): void {
  if (format === 'tiff' && depth !== 'uchar' && depth !== 'ushort')
    throw new Refusal('The TIFF file holds other numbers than levels of 8 or 16 bits')
}

const disguised = () => new Refusal('The file is an SVG drawing, not the picture that its name claims')
const tooManyPages = () => new Refusal(`The file has more than ${maxPages} pages`, 'RESOURCE_LIMIT')
