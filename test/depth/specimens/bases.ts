import { writeFile } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import { made } from '../../fixtures/cache.ts'
import { canvas } from '../../fixtures/image.ts'
import { ffmpeg, magick, program } from '../../fixtures/program.ts'
import { pixelsOf } from '../../matrix/decode.ts'
import type { Specimen } from '../family.ts'
import { formatOf, specimen } from '../saved.ts'

/** The picture with transparency, as PNG. */
export const glass = () => made('depth-glass.png', (output) => canvas(0, true).png().toFile(output))

/** A synthetic photograph of odd size: soft light and fine grain, always the same. */
export const photo = () =>
  made('depth-photo.png', async (output) => {
    const width = 301
    const height = 203
    const bytes = Buffer.alloc(width * height * 3)
    let seed = 1
    const grain = () => ((seed = (seed * 48_271) % 0x7fffffff) % 13) - 6
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const light = [150 + 90 * Math.sin(x / 60), 120 + 90 * Math.cos(y / 45), 110 + 80 * Math.sin((x + y) / 80)]
        for (const [channel, level] of light.entries()) bytes[(y * width + x) * 3 + channel] = level + grain()
      }
    await sharp(bytes, { raw: { width, height, channels: 3 } })
      .png()
      .toFile(output)
  })

/** A ramp of 16 bits, from black at the left to coloured light at the right, as PNG. */
export const ramp = () =>
  made('depth-ramp.png', async (output, scratch) => {
    const width = 256
    const height = 64
    const bytes = Buffer.alloc(width * height * 6)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        for (let channel = 0; channel < 3; channel++)
          bytes.writeUInt16BE(Math.min(65_535, (x * 64 + y) * (4 - channel)), ((y * width + x) * 3 + channel) * 2)
    await writeFile(`${scratch}/in.rgb`, bytes)
    const raw = ['-f', 'rawvideo', '-pix_fmt', 'rgb48be', '-video_size', `${width}x${height}`]
    await ffmpeg(...raw, '-i', `${scratch}/in.rgb`, output)
  })

/** What a specimen shows, for formats that no other program reads right: the base, turned clockwise. */
export const shows = (base: Base, turn: 0 | 90 | 180 | 270 = 0) => ({
  look: async () => pixelsOf(sharp(await base()).rotate(turn)),
})

type Base = () => Promise<string>
type Features = readonly string[]
type Options = readonly (string | number)[]

/** By ImageMagick 6, with options after the picture. */
export const byMagick = (name: string, features: Features, base: Base, options: Options, coder = formatOf(name)) =>
  specimen(name, async (output) => magick(await base(), ...options, `${coder}:${output}`), {}, features)

/** By FFmpeg, with options before the output. */
export const byFfmpeg = (name: string, features: Features, base: Base, options: Options) =>
  specimen(name, async (output) => ffmpeg('-i', await base(), ...options, output), {}, features)

/** By sharp. */
export const bySharp = (name: string, features: Features, base: Base, encode: (picture: Sharp) => Sharp) =>
  specimen(name, async (output) => encode(sharp(await base())).toFile(output), {}, features)

/** By the Python Imaging Library: `code` has the picture as `im` and writes `out`. */
export function byPillow(name: string, features: Features, base: Base, code: string, truth: Specimen['truth'] = {}) {
  const script = `import sys\nfrom PIL import Image\nim=Image.open(sys.argv[1])\nout=sys.argv[2]\n${code}`
  const make: Specimen['make'] = async (output) => program('/usr/bin/python3', '-c', script, await base(), output)
  return specimen(name, make, truth, features)
}

/** A recipe of test/fixtures under another name. */
export const fixed = (
  name: string,
  features: Features,
  { make, likeness }: { make: Specimen['make']; likeness?: number },
  truth?: Specimen['truth'],
) => specimen(name, make, { ...(likeness && { likeness }), ...truth }, features)
