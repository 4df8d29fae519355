/** Pictures of kinds that no program at hand writes, out of pixels in sRGB. */
import { linear } from '../../fixtures/linear.ts'

type Tag = [number: number, type: 3 | 4, values: number[]]

/** A little-endian TIFF with `data` at byte 8. */
function tiff(tags: readonly Tag[], data: Buffer): Buffer {
  const start = 8 + data.length + (data.length % 2)
  const directory = Buffer.alloc(2 + tags.length * 12 + 4)
  const tail: Buffer[] = []
  let end = start + directory.length
  directory.writeUInt16LE(tags.length)
  for (const [index, [number, type, values]] of tags.entries()) {
    const size = type === 3 ? 2 : 4
    const bytes = Buffer.alloc(Math.max(4, values.length * size))
    for (const [at, value] of values.entries()) bytes.writeUIntLE(value, at * size, size)
    const at = 2 + index * 12
    directory.writeUInt16LE(number, at)
    directory.writeUInt16LE(type, at + 2)
    directory.writeUInt32LE(values.length, at + 4)
    if (bytes.length === 4) bytes.copy(directory, at + 8)
    else {
      directory.writeUInt32LE(end, at + 8)
      tail.push(bytes)
      end += bytes.length
    }
  }
  const head = Buffer.from('II*\0\0\0\0\0', 'latin1')
  head.writeUInt32LE(start, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2), directory, ...tail])
}

/** A TIFF of floating-point numbers from 0 to 1, of 32 or 64 bits. */
export function floats(pixels: Buffer, width: number, height: number, bits: number): Buffer {
  const values = Array.from(pixels, (level) => level / 255)
  const data = Buffer.from((bits === 64 ? Float64Array : Float32Array).from(values).buffer)
  return tiff(
    [
      [256, 4, [width]],
      [257, 4, [height]],
      [258, 3, [bits, bits, bits]],
      [259, 3, [1]],
      [262, 3, [2]],
      [273, 4, [8]],
      [277, 3, [3]],
      [278, 4, [height]],
      [279, 4, [data.length]],
      [339, 3, [3, 3, 3]],
    ],
    data,
  )
}

/** A TIFF of one row of signed numbers, for levels from 0 to 255: the lowest number is black. */
export function signed(levels: readonly number[], bits: 8 | 16 | 32): Buffer {
  const values = levels.map((level) => (level - 128) * 2 ** (bits - 8))
  const data = Buffer.from({ 8: Int8Array, 16: Int16Array, 32: Int32Array }[bits].from(values).buffer)
  return tiff(
    [
      [256, 4, [levels.length]],
      [257, 4, [1]],
      [258, 3, [bits]],
      [259, 3, [1]],
      [262, 3, [1]],
      [273, 4, [8]],
      [277, 3, [1]],
      [278, 4, [1]],
      [279, 4, [data.length]],
      [339, 3, [2]],
    ],
    data,
  )
}

/** A TIFF around a JPEG file, as version 6.0 had it until its second technical note. */
export const oldJpeg = (jpeg: Buffer, width: number, height: number): Buffer =>
  tiff(
    [
      [256, 4, [width]],
      [257, 4, [height]],
      [258, 3, [8, 8, 8]],
      [259, 3, [6]],
      [262, 3, [6]],
      [273, 4, [8]],
      [277, 3, [3]],
      [278, 4, [height]],
      [279, 4, [jpeg.length]],
      [512, 3, [1]],
      [513, 4, [8]],
      [514, 4, [jpeg.length]],
      [530, 3, [1, 1]],
    ],
    jpeg,
  )

/** A portable float map of the picture's light, times `factor`. */
export function floatMap(pixels: Buffer, width: number, height: number, factor: number): Buffer {
  const rows = Array.from({ length: height }, (_, y) => pixels.subarray(y * width * 3, (y + 1) * width * 3)).reverse()
  const light = Float32Array.from(Buffer.concat(rows), (level) => linear(level) * factor)
  return Buffer.concat([Buffer.from(`PF\n${width} ${height}\n-1.0\n`), Buffer.from(light.buffer)])
}

const attribute = (name: string, type: string, value: Buffer) => {
  const length = Buffer.alloc(4)
  length.writeInt32LE(value.length)
  return Buffer.concat([Buffer.from(`${name}\0${type}\0`, 'latin1'), length, value])
}
const ints = (...values: number[]) => Buffer.from(Int32Array.from(values).buffer)
const reals = (...values: number[]) => Buffer.from(Float32Array.from(values).buffer)

/** An OpenEXR file, not compressed, of luminance and, with `chroma`, its differences at half the size. */
export function exr(pixels: Buffer, width: number, height: number, chroma: boolean): Buffer {
  const light = (x: number, y: number) => [0, 1, 2].map((at) => linear(pixels[(y * width + x) * 3 + at]!))
  const luminance = (x: number, y: number) => {
    const [r, g, b] = light(x, y)
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
  }
  const difference = (x: number, y: number, channel: number) => {
    const whole = luminance(x, y)
    return whole > 0 ? (light(x, y)[channel]! - whole) / whole : 0
  }
  const across = Array.from({ length: width }, (_, x) => x)
  const sparse = across.filter((x) => x % 2 === 0)
  const rows = Array.from({ length: height }, (_, y) => {
    const colours = chroma && y % 2 === 0 ? [2, 0].flatMap((at) => sparse.map((x) => difference(x, y, at))) : []
    return reals(...colours, ...across.map((x) => luminance(x, y)))
  })
  const channel = (name: string, step: number) => Buffer.concat([Buffer.from(`${name}\0`), ints(2, 0, step, step)])
  const channels = [...(chroma ? [channel('BY', 2), channel('RY', 2)] : []), channel('Y', 1), Buffer.alloc(1)]
  const header = Buffer.concat([
    ints(20000630, 2),
    attribute('channels', 'chlist', Buffer.concat(channels)),
    attribute('compression', 'compression', Buffer.alloc(1)),
    attribute('dataWindow', 'box2i', ints(0, 0, width - 1, height - 1)),
    attribute('displayWindow', 'box2i', ints(0, 0, width - 1, height - 1)),
    attribute('lineOrder', 'lineOrder', Buffer.alloc(1)),
    attribute('pixelAspectRatio', 'float', reals(1)),
    attribute('screenWindowCenter', 'v2f', reals(0, 0)),
    attribute('screenWindowWidth', 'float', reals(1)),
    Buffer.alloc(1),
  ])
  let at = header.length + height * 8
  const offsets: number[] = []
  const lines = rows.map((row, y) => {
    offsets.push(at, 0)
    at += 8 + row.length
    return Buffer.concat([ints(y, row.length), row])
  })
  return Buffer.concat([header, ints(...offsets), ...lines])
}
