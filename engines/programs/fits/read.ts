/**
 * Writes the first plane of a FITS file's first image as 16-bit PGM, with stretched contrast: `read.ts INPUT OUTPUT`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { type Image, imageOf } from './image.ts'

const [input, output] = process.argv.slice(2) as [string, string]
const image = imageOf(readFileSync(input))
const { width, height, valueAt } = image
const { low, high } = range(image)

const head = Buffer.from(`P5\n${width} ${height}\n65535\n`, 'latin1')
const rows = Buffer.alloc(2 * width * height)
for (let y = 0; y < height; y++)
  for (let x = 0; x < width; x++) {
    const tone = (valueAt(y * width + x) - low) / (high - low || 1)
    const level = Number.isNaN(tone) ? 0 : Math.round(65_535 * Math.min(1, Math.max(0, tone)))
    // The first row is at the bottom.
    rows.writeUInt16BE(level, 2 * ((height - 1 - y) * width + x))
  }
writeFileSync(output, Buffer.concat([head, rows]))

/**
 * The values that become black and white. A few stars outshine everything else, so the darkest and the brightest 0.25 %
 * are clipped. Integers that use at least a quarter of their range are an ordinary image, and keep their values.
 */
function range({ width, height, valueAt, whole }: Image): { low: number; high: number } {
  const step = Math.max(1, Math.floor((width * height) / 1_000_000))
  const some: number[] = []
  for (let index = 0; index < width * height; index += step) {
    const value = valueAt(index)
    if (Number.isFinite(value)) some.push(value)
  }
  const sorted = Float64Array.from(some).sort()
  const [low = 0, high = 1] = [0.0025, 0.9975].map((share) => sorted[Math.floor(share * (sorted.length - 1))])
  return whole && high - low > (whole.high - whole.low) / 4 ? whole : { low, high }
}
