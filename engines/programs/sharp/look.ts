import { isApng } from './apng.ts'
import { reading, sharp } from './library.ts'
import { beginning, colours } from './nclx.ts'
import { describe } from './profile.ts'
import { filesIn, moves } from './source.ts'
import type { Look } from './spec.ts'
import { refuseTruncated } from './whole.ts'

const sequence: Look = {
  pages: 1,
  orientation: 1,
  space: 'srgb',
  depth: 'uchar',
  foreign: false,
  lossless: false,
  moving: true,
  bright: false,
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
    bright: meta.format === 'heif' && colours(start).bright,
    moving: moves(meta) || (meta.format === 'png' && (await isApng(file))),
  }
}

/** Whether a WebP or AVIF is lossless. For other formats, the format decides. */
function exact(start: Buffer, format: string): boolean {
  if (format === 'webp') return start.includes('VP8L') && !start.includes('VP8 ')
  return format === 'heif' && colours(start).exact
}
