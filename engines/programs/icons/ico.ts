import type { Entry } from './entry.ts'

const SIZES = [16, 24, 32, 48, 64, 96, 128, 256]

/** Icon sizes for an image with `side` pixels per side: the usual ones below it, and its own up to 256. */
export const icoSizes = (side: number) => {
  const own = Math.min(side, 256)
  return [...SIZES.filter((size) => size < own), own]
}

/**
 * Writes a Windows icon, or a cursor with its hot spot in the top left corner. 256 pixels are stored as PNG, which
 * Windows reads since Vista; smaller sizes as bitmaps, which all systems read.
 *
 * @see https://learn.microsoft.com/previous-versions/ms997538(v=msdn.10) Icons
 */
export function ico(entries: readonly Entry[], kind: 'ico' | 'cur'): Buffer {
  const images = entries.map((entry) => (entry.size === 256 ? entry.png : bitmap(entry)))
  const head = Buffer.alloc(6 + 16 * entries.length)
  head.writeUInt16LE(kind === 'ico' ? 1 : 2, 2)
  head.writeUInt16LE(entries.length, 4)
  let offset = head.length
  for (const [index, { size }] of entries.entries()) {
    const at = 6 + 16 * index
    head.writeUInt8(size & 255, at)
    head.writeUInt8(size & 255, at + 1)
    // Planes and bits per pixel of an icon; the hot spot of a cursor.
    head.writeUInt16LE(kind === 'ico' ? 1 : 0, at + 4)
    head.writeUInt16LE(kind === 'ico' ? 32 : 0, at + 6)
    head.writeUInt32LE(images[index]!.length, at + 8)
    head.writeUInt32LE(offset, at + 12)
    offset += images[index]!.length
  }
  return Buffer.concat([head, ...images])
}

/** A 32-bit bitmap without a file header: rows from the bottom, then a mask of the fully transparent pixels. */
function bitmap({ size, rgba }: Entry): Buffer {
  const stride = Math.ceil(size / 32) * 4
  const pixels = size * size * 4
  const out = Buffer.alloc(40 + pixels + stride * size)
  out.writeUInt32LE(40, 0)
  out.writeInt32LE(size, 4)
  out.writeInt32LE(size * 2, 8)
  out.writeUInt16LE(1, 12)
  out.writeUInt16LE(32, 14)
  out.writeUInt32LE(pixels + stride * size, 20)
  for (let y = 0; y < size; y++) {
    const row = size - 1 - y
    for (let x = 0; x < size; x++) {
      const from = (y * size + x) * 4
      const to = 40 + (row * size + x) * 4
      out[to] = rgba[from + 2]!
      out[to + 1] = rgba[from + 1]!
      out[to + 2] = rgba[from]!
      out[to + 3] = rgba[from + 3]!
      if (rgba[from + 3] === 0) out[40 + pixels + row * stride + (x >> 3)]! |= 0x80 >> (x & 7)
    }
  }
  return out
}
