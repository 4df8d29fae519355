import { open } from 'node:fs/promises'
import { type Resolution, resolution } from './resolution.ts'

/** What the tags of one page say (TIFF 6.0, section 2). */
export interface TiffPage {
  /** Whether there is metadata that libvips does not read. */
  described: boolean
  /** Whether it is a smaller copy of another page. */
  reduced: boolean
  /** Number of the compression, 1 for none. */
  compression: number
  resolution: Resolution | undefined
  /** Luma and chroma of the same size, without JPEG: libvips takes them for red, green and blue. */
  fullChroma: boolean
  /** Tiles of JPEG as TIFF 6.0 has it, which libvips takes for empty, and ImageMagick for other colours. */
  oldTiles: boolean
}

/** Make, model, artist, copyright, IPTC, the EXIF and GPS directories. */
const telling = [271, 272, 315, 33432, 33723, 34665, 34853]
const SUBFILE = 254
const COMPRESSION = 259
const PHOTOMETRIC = 262
const SUBSAMPLING = 530
const TILE = 322
const YCBCR = 6
/** JPEG of both styles: libjpeg makes red, green and blue. */
const OLD_JPEG = 6
const JPEG = [OLD_JPEG, 7]
const WIDE = 282
const HIGH = 283
const UNIT = 296
/** Pixels per inch for one pixel per unit; the unit 1 means that only the ratio is known. */
const units: Readonly<Record<number, number>> = { 2: 1, 3: 2.54 }
const RATIONAL = 5
const SHORT = 3

type Read = (at: number, length: number) => Promise<Buffer>

/**
 * Tags of the pages of a TIFF or BigTIFF file, at most 1,000. A damaged file gives those that can be read.
 *
 * sharp tells none of them, and the resolution across only. ExifTool tells all, but takes 150 ms for any file; sharp
 * makes a JPEG of 800 by 600 pixels in 8 ms.
 */
export async function tiffPages(path: string): Promise<TiffPage[]> {
  await using file = await open(path)
  return await pagesIn(async (at, length) => (await file.read(Buffer.alloc(length), 0, length, at)).buffer)
}

/** The resolution in a block of EXIF, which is a TIFF file without pixels. */
export async function exifResolution(exif: Buffer): Promise<Resolution | undefined> {
  const start = exif.toString('latin1', 0, 4) === 'Exif' ? 6 : 0
  const [page] = await pagesIn(async (at, length) => {
    const bytes = Buffer.alloc(length)
    exif.copy(bytes, 0, start + at, start + at + length)
    return bytes
  })
  return page?.resolution
}

async function pagesIn(read: Read): Promise<TiffPage[]> {
  const header = await read(0, 16)
  const little = header.toString('latin1', 0, 2) === 'II'
  const short = (from: Buffer, at: number) => (little ? from.readUInt16LE(at) : from.readUInt16BE(at))
  const long = (from: Buffer, at: number) => (little ? from.readUInt32LE(at) : from.readUInt32BE(at))
  const huge = (from: Buffer, at: number) => Number(little ? from.readBigUInt64LE(at) : from.readBigUInt64BE(at))
  const version = short(header, 2)
  if (version !== 42 && version !== 43) return []
  const big = version === 43
  const [place, wide] = big ? [huge, 8] : [long, 4]
  const [entry, head] = big ? [20, 8] : [12, 2]

  async function value(entries: Buffer, index: number, nth: number): Promise<number | undefined> {
    if (index < 0) return undefined
    const at = index * entry + entry - wide
    const type = short(entries, index * entry + 2)
    if (type !== RATIONAL) return type === SHORT ? short(entries, at + 2 * nth) : long(entries, at)
    const ratio = big ? entries.subarray(at, at + 8) : await read(long(entries, at), 8)
    return long(ratio, 0) / long(ratio, 4)
  }

  const pages: TiffPage[] = []
  for (let at = place(header, big ? 8 : 4); at !== 0 && pages.length < 1000; ) {
    const start = await read(at, head)
    const count = Math.min(big ? huge(start, 0) : short(start, 0), 65_535)
    const entries = await read(at + head, count * entry + wide)
    const tags = Array.from({ length: count }, (_, index) => short(entries, index * entry))
    /** The first value of a tag, or the second of two short ones. */
    const told = (tag: number, nth = 0) => value(entries, tags.indexOf(tag), nth)
    const unit = units[(await told(UNIT)) ?? 2] ?? 0
    const compression = (await told(COMPRESSION)) ?? 1
    const isFull = (await told(SUBSAMPLING)) === 1 && (await told(SUBSAMPLING, 1)) === 1
    const isLuma = (await told(PHOTOMETRIC)) === YCBCR && !JPEG.includes(compression)
    pages.push({
      described: tags.some((tag) => telling.includes(tag)),
      reduced: (((await told(SUBFILE)) ?? 0) & 1) === 1,
      compression,
      fullChroma: isFull && isLuma,
      oldTiles: compression === OLD_JPEG && tags.includes(TILE),
      resolution: resolution(((await told(WIDE)) ?? 0) * unit, ((await told(HIGH)) ?? 0) * unit),
    })
    at = place(entries, count * entry)
  }
  return pages
}
