/**
 * Writes a portable float map (PFM), which holds light of any strength, as PNM of 16 bits in sRGB: `read.ts INPUT
 * OUTPUT`. Light up to 1 stays as it is. If more than 0.5 % of the pixels are brighter, all become darker by one
 * factor, so that only those 0.5 % are cut off.
 */
import { readFileSync, writeFileSync } from 'node:fs'

/** Pixels a side. */
const MAX = 65_535
const SHARE = 0.995
/** Pixels that decide how bright the picture is. */
const SAMPLES = 1_000_000

const [input, output] = process.argv.slice(2) as [string, string]
const file = readFileSync(input)
const [head, kind, ...numbers] =
  /^P([Ff])\s+(\d+)\s+(\d+)\s+(-?[\d.eE+-]+)\s/.exec(file.toString('latin1', 0, 128)) ?? []
const [width = 0, height = 0, scale = 0] = numbers.map(Number)
const samples = kind === 'F' ? 3 : 1
const data = file.subarray(head?.length)
if (!(width > 0 && height > 0 && width <= MAX && height <= MAX)) throw new Error('no size')
if (data.length < width * height * samples * 4) throw new Error('the picture breaks off')

/** A negative scale means that the first byte is the lowest. */
const at = scale < 0 ? (index: number) => data.readFloatLE(index * 4) : (index: number) => data.readFloatBE(index * 4)
const white = brightness()
const result = Buffer.alloc(width * height * samples * 2)
for (let y = 0; y < height; y++)
  for (let x = 0; x < width * samples; x++)
    // The first row is at the bottom.
    result.writeUInt16BE(level(at((height - 1 - y) * width * samples + x) / white), 2 * (y * width * samples + x))
writeFileSync(output, Buffer.concat([Buffer.from(`P${samples === 3 ? 6 : 5}\n${width} ${height}\n65535\n`), result]))

/** The light that becomes white: 1, or what all but a few pixels stay below. */
function brightness(): number {
  const count = width * height
  const step = Math.max(1, Math.floor(count / SAMPLES))
  const some: number[] = []
  for (let pixel = 0; pixel < count; pixel += step) {
    const light = Math.max(...Array.from({ length: samples }, (_, sample) => at(pixel * samples + sample)))
    if (Number.isFinite(light)) some.push(light)
  }
  const sorted = Float64Array.from(some).sort()
  return Math.max(1, sorted[Math.floor(SHARE * (sorted.length - 1))] ?? 1)
}

/** Light as a level of sRGB (IEC 61966-2-1). What is no number is black. */
function level(light: number): number {
  const bounded = Math.min(1, Math.max(0, Number.isNaN(light) ? 0 : light))
  return Math.round(65_535 * (bounded <= 0.0031308 ? bounded * 12.92 : 1.055 * bounded ** (1 / 2.4) - 0.055))
}
