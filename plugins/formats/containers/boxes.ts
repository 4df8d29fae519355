import type { Look, Source } from '../../../kernel/contract.ts'
import { listed } from '../family.ts'
import { films } from '../film/films.ts'
import { cameraRaws } from '../raster/camera-raw.ts'
import { pictures } from '../raster/pictures.ts'
import { unsupported } from '../refusals.ts'
import { sounds } from '../sound/sounds.ts'

/** Formats that the major brand alone identifies. */
const BRANDS = new Map(listed({ ...pictures, ...cameraRaws, ...films, ...sounds }, ({ brands }) => brands))

/** Whether a file begins with a box that can come first. */
export const isBoxes = (head: Buffer) =>
  /^(ftyp|styp|moov|mdat|wide|free|skip|pnot|jP {2}|JXL )$/.test(head.toString('latin1', 4, 8))

/** Brands of pictures of any codec. */
const isPicture = (brand: string) => /^(mif[12]|msf1|miaf)$/.test(brand)

/** Identifies an ISO base media file by its brands and tracks. */
export const boxBrands: Look = async (file, hint) => {
  const { head } = file
  const first = head.toString('latin1', 4, 8)
  if (first === 'JXL ') return 'jxl'
  const ftyp = first === 'jP  ' ? 12 : 0
  const type = head.toString('latin1', ftyp + 4, ftyp + 8)
  if (type !== 'ftyp' && type !== 'styp') return first === 'jP  ' ? 'jp2' : untyped(file, first)
  const length = Math.min(head.readUInt32BE(ftyp), 1024)
  const brands: string[] = []
  for (let p = ftyp + 8; p + 4 <= ftyp + length; p += 4)
    if (p !== ftyp + 12) brands.push(head.toString('latin1', p, p + 4))
  const major = brands[0] ?? ''
  // A low-overhead image file (`mif3`) names its codec where other files have a version.
  if (major === 'mif3') return head.toString('latin1', ftyp + 12, ftyp + 16) === 'avif' ? 'avif' : 'heic'
  if (major === 'mjp2') return unsupported('Motion JPEG 2000')
  // The major brand can be that of a codec which no program here knows, or nonsense.
  if (isPicture(major) || (!BRANDS.has(major) && brands.some((brand) => isPicture(brand) || brand === 'heic'))) {
    return brands.includes('avif') || brands.includes('avis') ? 'avif' : 'heic'
  }
  const format = BRANDS.get(major)
  return format === undefined || format === 'mp4' ? video(file, hint, major, brands) : format
}

async function video(file: Source, hint: string, major: string, brands: string[]): Promise<string> {
  if (/^M4[AP] $/.test(major)) return soundOf(hint)
  if (major === 'M4B ') return 'm4b'
  const plain = brands.includes('isom') || brands.includes('mp42')
  if (/^(3g2|kddi)/i.test(major) || (/^3g/.test(major) && brands.includes('3g2a') && !plain)) return '3g2'
  if (/^3g/.test(major)) return '3gp'
  const { moving, sound, complete } = await tracks(file)
  if (sound && !moving) return soundOf(hint)
  if (!complete && /^m4[abr]$/.test(hint)) return hint
  return hint === 'f4v' ? 'f4v' : 'mp4'
}

/** Audiobooks and ringtones differ from m4a by name only. */
const soundOf = (hint: string) => (hint === 'm4b' || hint === 'm4r' ? hint : 'm4a')

/** A QuickTime file from before 2001 has no brands. Its first two boxes must be consistent. */
async function untyped(file: Source, first: string): Promise<string | undefined> {
  const length = file.head.readUInt32BE(0)
  if (length === 1 || length === 0 || length >= file.size)
    return first === 'moov' || first === 'mdat' ? 'mov' : undefined
  if (length < 8) return undefined
  const next = (await file.read(length + 4, 4)).toString('latin1')
  return /^[a-z]{4}$/.test(next) ? 'mov' : undefined
}

interface Box {
  type: string
  start: number
  end: number
}

/** Sibling boxes, read by seeking from header to header. An invalid size ends the list. */
async function* boxes(file: Source, start: number, end: number, limit: number): AsyncGenerator<Box> {
  for (let at = start, count = 0; at + 8 <= end && count < limit; count++) {
    const header = await file.read(at, 16)
    if (header.length < 8) return
    let size = header.readUInt32BE(0)
    let skip = 8
    if (size === 0) size = end - at
    else if (size === 1 && header.length === 16) [size, skip] = [Number(header.readBigUInt64BE(8)), 16]
    if (size < skip) return
    yield { type: header.toString('latin1', 4, 8), start: at + skip, end: Math.min(at + size, end) }
    at += size
  }
}

/** The kinds of tracks in a movie, by their handlers. `complete`: a movie box was found. */
async function tracks(file: Source): Promise<{ moving: boolean; sound: boolean; complete: boolean }> {
  const found = { moving: false, sound: false, complete: false }
  for await (const moov of boxes(file, 0, file.size, 256)) {
    if (moov.type !== 'moov') continue
    found.complete = true
    for await (const trak of boxes(file, moov.start, moov.end, 64)) {
      if (trak.type !== 'trak') continue
      const handler = await handlerOf(file, trak)
      if (handler === 'vide') found.moving = true
      if (handler === 'soun') found.sound = true
    }
    break
  }
  return found
}

async function handlerOf(file: Source, trak: Box): Promise<string | undefined> {
  for await (const mdia of boxes(file, trak.start, trak.end, 16)) {
    if (mdia.type !== 'mdia') continue
    for await (const hdlr of boxes(file, mdia.start, mdia.end, 8)) {
      if (hdlr.type === 'hdlr') return (await file.read(hdlr.start + 8, 4)).toString('latin1')
    }
  }
  return undefined
}
