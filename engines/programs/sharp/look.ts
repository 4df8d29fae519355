import { open } from 'node:fs/promises'
import { isApng } from './apng.ts'
import { reading, sharp } from './library.ts'
import { describe } from './profile.ts'
import { filesIn, moves } from './source.ts'
import type { Look } from './spec.ts'
import { refuseTruncated } from './whole.ts'

/** Bytes at the start of a file that show how it is compressed. */
const head = 64 * 1024

const sequence: Look = {
  pages: 1,
  orientation: 1,
  space: 'srgb',
  depth: 'uchar',
  foreign: false,
  lossless: false,
  moving: true,
}

/** Describes a file without decoding it. */
export async function look(path: string): Promise<Look> {
  const file = (await filesIn(path))?.[0] ?? path
  const start = await beginning(file)
  // libvips does not read AVIF sequences.
  if (start.toString('latin1', 4, 12) === 'ftypavis') return sequence
  const meta = await sharp(file, reading).metadata()
  await refuseTruncated(file, meta.format)
  return {
    pages: meta.pages ?? 1,
    orientation: meta.orientation ?? 1,
    space: meta.space,
    depth: meta.depth,
    foreign: meta.icc !== undefined && !describe(meta.icc).srgb,
    lossless: exact(start, meta.format),
    moving: moves(meta) || (meta.format === 'png' && (await isApng(file))),
  }
}

async function beginning(path: string): Promise<Buffer> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(head), 0, head, 0)
  return buffer.subarray(0, bytesRead)
}

/** Whether a WebP or AVIF is lossless. For other formats, the format decides. */
function exact(start: Buffer, format: string): boolean {
  if (format === 'webp') return start.includes('VP8L') && !start.includes('VP8 ')
  // RGB instead of luma and chroma: matrix coefficients 0 (ITU-T H.273).
  const colours = start.indexOf('nclx')
  return format === 'heif' && colours > 0 && colours + 10 <= start.length && start.readUInt16BE(colours + 8) === 0
}
