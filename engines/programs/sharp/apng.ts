import { type FileHandle, open } from 'node:fs/promises'
import { Refusal } from '../refusal/refusal.ts'
import { tooLarge } from './complaints.ts'
import { reading, sharp } from './library.ts'
import { chunk, chunks, signature } from './png.ts'
import { maxPixels } from './spec.ts'

/** The frames of an animated PNG (W3C PNG, third edition, 11.3.2). */
export interface DecodedFrames {
  /** All frames, one below the other, as 8-bit RGBA. */
  pixels: Buffer
  /** Milliseconds. */
  delay: number[]
  /** Number of times to play; 0 means forever. */
  loop: number
}

interface Frame {
  width: number
  height: number
  x: number
  y: number
  delay: number
  dispose: number
  blend: number
  data: Buffer[]
}

/** Whether a PNG is animated: a control chunk before the image data announces more than one frame. */
export async function isApng(path: string): Promise<boolean> {
  await using file = await open(path)
  for await (const { type, data } of chunks(file)) {
    if (type === 'acTL') return (await data()).readUInt32BE(0) > 1
    if (type === 'IDAT') return false
  }
  return false
}

/**
 * Decodes an animated PNG of the given size in pixels. Frames are fully composed.
 *
 * libvips reads the first frame only. FFmpeg does not tell how often to play it, and would write all frames as another
 * format first.
 */
export async function apngFrames(path: string, width: number, height: number): Promise<DecodedFrames> {
  await using file = await open(path)
  const { frames, header, shared, loop } = await parse(file)
  if (frames.length * width * height > maxPixels) throw tooLarge()
  const size = width * height * 4
  const pixels = Buffer.alloc(frames.length * size)
  const canvas = Buffer.alloc(size)
  for (const [index, frame] of frames.entries()) {
    if (frame.x + frame.width > width || frame.y + frame.height > height) throw damaged()
    const before = frame.dispose === 2 ? Buffer.from(canvas) : undefined
    paint(canvas, width, frame, await pixelsOf(frame, header, shared))
    canvas.copy(pixels, index * size)
    if (before) before.copy(canvas)
    if (frame.dispose === 1) paint(canvas, width, { ...frame, blend: 0 }, Buffer.alloc(frame.width * frame.height * 4))
  }
  return { pixels, delay: frames.map(({ delay }) => delay), loop }
}

async function parse(file: FileHandle) {
  const frames: Frame[] = []
  const shared: Buffer[] = []
  let header = Buffer.alloc(0)
  let loop = 0
  for await (const { type, data } of chunks(file)) {
    const frame = frames.at(-1)
    if (type === 'IHDR') header = Buffer.from(await data())
    else if (type === 'acTL') loop = (await data()).readUInt32BE(4)
    else if (type === 'fcTL') frames.push(control(await data()))
    // Without a control chunk before it, the still image is not part of the animation.
    else if (type === 'IDAT') frame?.data.push(await data())
    else if (type === 'fdAT') (frame ?? fail()).data.push((await data()).subarray(4))
    else if (['PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP'].includes(type)) shared.push(chunk(type, await data()))
    else if (type === 'IEND') break
  }
  if (frames.length === 0 || header.length !== 13) throw damaged()
  return { frames, header, shared, loop }
}

function control(data: Buffer): Frame {
  const [width, height, x, y] = [4, 8, 12, 16].map((at) => data.readUInt32BE(at)) as [number, number, number, number]
  const delay = Math.round((data.readUInt16BE(20) * 1000) / (data.readUInt16BE(22) || 100))
  return { width, height, x, y, delay, dispose: data.readUInt8(24), blend: data.readUInt8(25), data: [] }
}

async function pixelsOf(frame: Frame, header: Buffer, shared: Buffer[]): Promise<Buffer> {
  const own = Buffer.from(header)
  own.writeUInt32BE(frame.width, 0)
  own.writeUInt32BE(frame.height, 4)
  const still = Buffer.concat([signature, chunk('IHDR', own), ...shared, chunk('IDAT', ...frame.data), chunk('IEND')])
  const image = sharp(still, reading).toColourspace('srgb').ensureAlpha()
  return image.raw({ depth: 'uchar' }).toBuffer()
}

/** Draws a frame on the canvas: replaces the pixels or blends over them. */
function paint(canvas: Buffer, across: number, { width, height, x, y, blend }: Frame, pixels: Buffer): void {
  for (let row = 0; row < height; row++) {
    const to = ((y + row) * across + x) * 4
    const from = row * width * 4
    if (blend === 0) pixels.copy(canvas, to, from, from + width * 4)
    else for (let i = 0; i < width * 4; i += 4) over(canvas, to + i, pixels, from + i)
  }
}

function over(below: Buffer, to: number, above: Buffer, from: number): void {
  const alpha = above[from + 3]!
  if (alpha === 0) return
  if (alpha === 255 || below[to + 3] === 0) {
    above.copy(below, to, from, from + 4)
    return
  }
  const rest = (below[to + 3]! * (255 - alpha)) / 255
  const sum = alpha + rest
  for (let c = 0; c < 3; c++) below[to + c] = Math.round((above[from + c]! * alpha + below[to + c]! * rest) / sum)
  below[to + 3] = Math.round(sum)
}

const damaged = () => new Refusal('The animation is damaged')
const fail = () => {
  throw damaged()
}
