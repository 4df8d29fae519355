/** Pictures of kinds that no program at hand writes, out of pixels in sRGB. */
import { linear } from '../../fixtures/linear.ts'

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
