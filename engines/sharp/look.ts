import { open } from 'node:fs/promises'
import { isApng } from './apng.ts'
import { reading, sharp } from './library.ts'
import { describe } from './profile.ts'
import { filesIn, moves } from './source.ts'
import type { Look } from './spec.ts'
import { refuseTruncated } from './whole.ts'

/** Bytes at the start of a file that say how it is compressed. */
const head = 64 * 1024

/** What a file is, without decoding it. */
export async function look(path: string): Promise<Look> {
  const file = (await filesIn(path))?.[0] ?? path
  const meta = await sharp(file, reading).metadata()
  await refuseTruncated(file, meta.format)
  return {
    pages: meta.pages ?? 1,
    orientation: meta.orientation ?? 1,
    space: meta.space,
    depth: meta.depth,
    foreign: meta.icc !== undefined && !describe(meta.icc).srgb,
    lossless: await exact(file, meta.format),
    moving: moves(meta) || (meta.format === 'png' && (await isApng(file))),
  }
}

/** Whether a WebP or AVIF was encoded without loss; other formats are told by their names. */
async function exact(path: string, format: string): Promise<boolean> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(head), 0, head, 0)
  const start = buffer.subarray(0, bytesRead)
  if (format === 'webp') return start.includes('VP8L') && !start.includes('VP8 ')
  // Colours as they are instead of luma and chroma: matrix coefficients 0 of ITU-T H.273.
  const colours = start.indexOf('nclx')
  return format === 'heif' && colours > 0 && colours + 10 <= start.length && start.readUInt16BE(colours + 8) === 0
}
