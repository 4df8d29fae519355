import { writeFile } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import { made } from '../../fixtures/cache.ts'
import { canvas, image } from '../../fixtures/image.ts'
import { ffmpeg, magick, program } from '../../fixtures/program.ts'
import { pixelsOf } from '../../matrix/decode.ts'
import type { Specimen } from '../family.ts'
import { formatOf } from '../saved.ts'

/** The picture with transparency, as PNG. */
export const glass = () => made('depth-glass.png', (output) => canvas(0, true).png().toFile(output))

/** A synthetic photograph of odd size: soft light and fine grain, always the same. */
export const photo = () =>
  made('depth-photo.png', async (output) => {
    const [width, height] = [301, 203]
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
    const [width, height] = [256, 64]
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
type Truth = Specimen['truth']

/** Recipes of one name: the format is what follows the first dot. */
export const specimen = (
  name: string,
  maker: string,
  features: readonly string[],
  make: Specimen['make'],
  truth?: Truth,
): Specimen => ({ name, from: formatOf(name), maker, features, make, ...(truth && { truth }) })

/** By ImageMagick 6, with options after the picture. */
export const byMagick = (
  name: string,
  features: readonly string[],
  base: Base,
  options: readonly (string | number)[],
  coder?: string,
  truth?: Truth,
) =>
  specimen(
    name,
    'ImageMagick',
    features,
    async (output) => magick(await base(), ...options, `${coder ?? formatOf(name)}:${output}`),
    truth,
  )

/** By FFmpeg, with options before the output. */
export const byFfmpeg = (
  name: string,
  features: readonly string[],
  base: Base,
  options: readonly (string | number)[] = [],
  truth?: Truth,
) => specimen(name, 'FFmpeg', features, async (output) => ffmpeg('-i', await base(), ...options, output), truth)

/** By sharp. */
export const bySharp = (
  name: string,
  features: readonly string[],
  base: Base,
  encode: (picture: Sharp) => Sharp,
  truth?: Truth,
) => specimen(name, 'sharp', features, async (output) => encode(sharp(await base())).toFile(output), truth)

/** By the Python Imaging Library: `code` has the picture as `im` and writes `out`. */
export const byPillow = (name: string, features: readonly string[], base: Base, code: string, truth?: Truth) => {
  const script = `import sys\nfrom PIL import Image\nim=Image.open(sys.argv[1])\nout=sys.argv[2]\n${code}`
  const make = async (output: string) => program('/usr/bin/python3', '-c', script, await base(), output)
  return specimen(name, 'Pillow', features, make, truth)
}

/** A recipe of test/fixtures under another name. */
export const fixed = (
  name: string,
  maker: string,
  features: readonly string[],
  recipe: { make: Specimen['make']; likeness?: number },
  truth?: Truth,
) => {
  const { likeness, make } = recipe
  return specimen(name, maker, features, make, likeness ? { likeness, ...truth } : truth)
}

/** The sample of test/fixtures. */
export const plain = (format: string, maker: string) => fixed(`plain.${format}`, maker, [], image[format]!)
