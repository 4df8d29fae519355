import { open } from 'node:fs/promises'
import type { Sharp } from 'sharp'
import { sharp } from './library.ts'
import { chunk, signature, words } from './png.ts'
import type { MadePage } from './spec.ts'

/** Milliseconds of a frame without a duration. */
const usual = 100

interface Area {
  left: number
  top: number
  width: number
  height: number
}

/**
 * Writes an animated PNG. Each frame contains only the rectangle that changed.
 *
 * libvips writes none. FFmpeg counts the durations of pictures in frames of 1/25 s, and writes one frame as a PNG that
 * is no animation.
 */
export async function writeApng(
  image: Sharp,
  { frames, delay, loop }: { frames: number; delay: number[]; loop: number },
  path: string,
): Promise<MadePage> {
  const { data, info } = await image.ensureAlpha().raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  const { width } = info
  const height = info.height / frames
  const bytes = width * height * 4
  await using file = await open(path, 'w')
  await file.write(signature)
  let sequence = 0
  for (let index = 0; index < frames; index++) {
    const frame = data.subarray(index * bytes, (index + 1) * bytes)
    const area = index === 0 ? whole(width, height) : changed(frame, data.subarray((index - 1) * bytes), width, height)
    const png = await still(frame, width, height, area)
    if (index === 0) await file.write(Buffer.concat([png.header, chunk('acTL', words(frames, loop))]))
    await file.write(
      chunk('fcTL', words(sequence++, area.width, area.height, area.left, area.top), timing(delay[index])),
    )
    await file.write(index === 0 ? chunk('IDAT', png.data) : chunk('fdAT', words(sequence++), png.data))
  }
  await file.write(chunk('IEND'))
  const last = delay[frames - 1] ?? usual
  return { width, height, alpha: !opaque(data), exif: 'none', frames: { count: frames, last } }
}

function opaque(pixels: Buffer): boolean {
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 255) return false
  return true
}

/** Makes an animation of one frame from a still PNG. For other PNG readers, the image is unchanged. */
export function asApng(png: Buffer): Buffer {
  const header = signature.length + 25
  // FFmpeg requires the frame's control chunk directly before its image data.
  let picture = header
  while (png.toString('latin1', picture + 4, picture + 8) !== 'IDAT') picture += png.readUInt32BE(picture) + 12
  const area = words(0, png.readUInt32BE(signature.length + 8), png.readUInt32BE(signature.length + 12), 0, 0)
  const start = png.subarray(0, header)
  const middle = png.subarray(header, picture)
  const rest = png.subarray(picture)
  return Buffer.concat([start, chunk('acTL', words(1, 0)), middle, chunk('fcTL', area, timing()), rest])
}

const whole = (width: number, height: number): Area => ({ left: 0, top: 0, width, height })

/** The smallest rectangle that contains all differences of two frames. One pixel if they are equal. */
function changed(frame: Buffer, before: Buffer, width: number, height: number): Area {
  const row = width * 4
  const same = (y: number) => frame.compare(before, y * row, (y + 1) * row, y * row, (y + 1) * row) === 0
  let top = 0
  while (top < height && same(top)) top++
  if (top === height) return whole(1, 1)
  let bottom = height - 1
  while (same(bottom)) bottom--
  let left = width - 1
  let right = 0
  for (let y = top; y <= bottom; y++) {
    for (let x = 0; x < left; x++) if (differ(frame, before, y * row + x * 4)) left = x
    for (let x = width - 1; x > right; x--) if (differ(frame, before, y * row + x * 4)) right = x
  }
  right = Math.max(left, right)
  return { left, top, width: right - left + 1, height: bottom - top + 1 }
}

const differ = (a: Buffer, b: Buffer, at: number) => a.readUInt32LE(at) !== b.readUInt32LE(at)

/** The header chunk and the image data of one rectangle, encoded as a still PNG. */
async function still(frame: Buffer, width: number, height: number, area: Area) {
  const raw = { width, height, channels: 4 } as const
  const png = await sharp(frame, { raw }).extract(area).png().toBuffer()
  const parts: Buffer[] = []
  let header = Buffer.alloc(0)
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    if (type === 'IHDR') header = png.subarray(at, at + length + 12)
    if (type === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  return { header, data: Buffer.concat(parts) }
}

/** The delay as a fraction of a second, then dispose 0 (keep the frame) and blend 0 (replace). */
function timing(delay = usual): Buffer {
  const buffer = Buffer.alloc(6)
  buffer.writeUInt16BE(Math.min(delay, 65_535), 0)
  buffer.writeUInt16BE(1000, 2)
  return buffer
}
