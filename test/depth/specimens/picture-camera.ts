import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { base, canvas, image } from '../../fixtures/image.ts'
import { cameras, raw, rawHeight, rawWidth } from '../../fixtures/raw.ts'
import type { Entry } from '../../fixtures/tiff.ts'
import { pixelsOf } from '../../matrix/decode.ts'
import type { Specimen } from '../family.ts'
import { formatOf } from '../saved.ts'
import { specimen } from './bases.ts'

type Format = keyof typeof cameras

/** The picture as large as the sensor, turned clockwise. */
const shown = (turn: 0 | 90 = 0) => ({
  // The white balance and tone curve of the converter are not the camera's.
  likeness: 21,
  look: async () => {
    const large = await sharp(await base())
      .resize(rawWidth, rawHeight, { kernel: 'nearest' })
      .png()
      .toBuffer()
    return pixelsOf(sharp(large).rotate(turn))
  },
})

const preview = () =>
  canvas().removeAlpha().resize(rawWidth, rawHeight, { kernel: 'nearest' }).jpeg({ quality: 95 }).toBuffer()

/** What cameras tell besides the picture: who took it, and when. */
const described: readonly Entry[] = [
  [315, 'ascii', 'Ada Athanor'],
  [33_432, 'ascii', 'Athanor'],
  [34_665, 'long', { directory: [[36_867, 'ascii', '2024:05:06 07:08:09']] }],
]
/** Taken with the camera upright: a reader must turn it clockwise. */
const upright: readonly Entry[] = [[274, 'short', [6]]]
/** Most of the sensor's data is missing, as after an interrupted copy: only the camera's own JPEG can be read. */
const cut: readonly Entry[] = [[273, 'long', { blob: Buffer.alloc(9_000, 60) }]]

const camera = (name: string, features: readonly string[], more: readonly Entry[], turn: 0 | 90 = 0): Specimen =>
  specimen(
    name,
    'hand',
    features,
    async (output) => writeFile(output, raw(formatOf(name) as Format, await preview(), more)),
    shown(turn),
  )

const formats = (Object.keys(cameras) as Format[]).filter((format) => format !== 'dng')

const others = ['crw', 'cr3', 'raf'].map((format) =>
  specimen(`plain.${format}`, 'hand', [], image[format]!.make, shown()),
)

/** Raws of cameras: plain, described, turned, and cut. */
export const raws: readonly Specimen[] = [
  ...['dng' as const, ...formats].flatMap((format) => [
    camera(`plain.${format}`, [], []),
    camera(`described.${format}`, ['metadata'], described),
    camera(`turned.${format}`, [], upright, 90),
  ]),
  ...formats.map((format) => camera(`cut.${format}`, [], cut)),
  ...others,
]
