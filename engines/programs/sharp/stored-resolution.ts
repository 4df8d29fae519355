import { open } from 'node:fs/promises'
import type { Metadata } from 'sharp'
import { chunk, chunks, words } from './png.ts'
import { type Resolution, resolution, usual } from './resolution.ts'
import { exifResolution } from './tiff-tags.ts'

/** Bytes at the start of a JPEG in which its JFIF segment is. */
const HEAD = 4096

/**
 * The resolution that a JPEG or PNG file or its EXIF tells. Those of a TIFF are in its tags.
 *
 * sharp tells the one across only, and 72 for a JPEG without any.
 */
export async function resolutionOf(file: string, { format, exif }: Metadata): Promise<Resolution | undefined> {
  const own = format === 'jpeg' ? await ofJpeg(file) : format === 'png' ? await ofPng(file) : undefined
  return own ?? (exif && (await exifResolution(exif).catch(() => undefined)))
}

/** From the JFIF segment (ITU-T T.871, 10.1). */
async function ofJpeg(path: string): Promise<Resolution | undefined> {
  await using file = await open(path)
  const { buffer } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0)
  const at = jfif(buffer)
  if (at === undefined) return undefined
  const perInch = [0, 1, 2.54][buffer[at + 7]!] ?? 0
  return resolution(buffer.readUInt16BE(at + 8) * perInch, buffer.readUInt16BE(at + 10) * perInch)
}

/** From the chunk pHYs, in pixels per metre (W3C PNG, third edition, 11.3.4.3). */
async function ofPng(path: string): Promise<Resolution | undefined> {
  await using file = await open(path)
  for await (const { type, data } of chunks(file)) {
    if (type === 'IDAT') return undefined
    if (type !== 'pHYs') continue
    const bytes = await data()
    return bytes[8] === 1 ? resolution(bytes.readUInt32BE(0) * 0.0254, bytes.readUInt32BE(4) * 0.0254) : undefined
  }
  return undefined
}

/** Where the name of the JFIF segment starts in the first bytes of a JPEG. */
function jfif(head: Buffer): number | undefined {
  const at = head.indexOf('JFIF\0', 0, 'latin1')
  return at >= 6 && at <= HEAD - 12 && head[at - 3] === 0xe0 ? at : undefined
}

/** A JPEG with its resolution in a JFIF segment, which comes first. sharp would write it into EXIF, also without. */
export function resolvedJpeg(jpeg: Buffer, { x, y }: Resolution): Buffer {
  const segment = Buffer.from('ffe000104a46494600010101000000000000', 'hex')
  segment.writeUInt16BE(Math.round(x), 12)
  segment.writeUInt16BE(Math.round(y), 14)
  const own = jpeg.readUInt16BE(2) === 0xffe0 ? jpeg.readUInt16BE(4) + 2 : 0
  return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2 + own)])
}

/** Square pixels of an unknown size. */
const unknown = Buffer.concat([words(1, 1), Buffer.from([0])])
const known = ({ x, y }: Resolution) =>
  Buffer.concat([words(Math.round(x / 0.0254), Math.round(y / 0.0254)), Buffer.from([1])])

/**
 * Writes the resolution into a PNG file of libvips, which writes another one for drawings and for pictures without:
 * programs would place them four times too large. A draft without gets the usual one, because its readers take the
 * unknown one for 1 dpi.
 */
export async function resolvePng(path: string, own: Resolution | undefined, draft: boolean): Promise<void> {
  const told = own ? known(own) : draft ? known({ x: usual, y: usual }) : unknown
  await using file = await open(path, 'r+')
  for await (const { type, at } of chunks(file)) {
    if (type === 'IDAT') return
    if (type === 'pHYs') await file.write(chunk('pHYs', told), 0, 21, at)
  }
}
