/** Our own programs that read and write pictures which others cannot, each by one file. */
import sharp from 'sharp'
import t from 'tap'
import { stored } from '../../fixtures/files.ts'
import { linear } from '../../fixtures/linear.ts'
import { height, pixels, width } from '../../fixtures/picture.ts'
import { bare } from '../bare.ts'
import { colourAt, likeness } from './pictures.ts'

const { convert, folder } = await bare(t, ['image'])

const rgb = Buffer.from(pixels().filter((_, at) => at % 4 < 3))
const opaque = () => sharp(rgb, { raw: { width, height, channels: 3 } })
const png = `${folder}/picture.png`
await opaque().png().toFile(png)
const alike = async (source: string | Buffer, from: string, wanted: string | Buffer = png) =>
  likeness((await convert(source, `${from}>png`)).bytes, wanted)

/** A portable float map of the picture's light, times `factor`. */
function floatMap(factor: number): Buffer {
  const rows = Array.from({ length: height }, (_, y) => rgb.subarray(y * width * 3, (y + 1) * width * 3)).reverse()
  const light = Float32Array.from(Buffer.concat(rows), (level) => linear(level) * factor)
  return Buffer.concat([Buffer.from(`PF\n${width} ${height}\n-1.0\n`), Buffer.from(light.buffer)])
}

t.test('pfm brighter than white', async (t) => {
  for (const light of [1, 100]) t.ok((await alike(floatMap(light), 'pfm')) > 40, `${light} times the light`)
})

t.test('pcx of one bit, alone and in dcx', async (t) => {
  for (const from of ['pcx', 'dcx']) {
    const data = await sharp((await convert(stored(`corner.${from}`), `${from}>png`)).bytes)
      .toColourspace('b-w')
      .raw()
      .toBuffer()
    t.same([data[0], data[31]], [0, 255], from)
  }
})

t.test('fits: the tones are spread, and the image is found behind an empty one', async (t) => {
  for (const name of ['sky', 'sky-float']) {
    const { bytes } = await convert(stored(`${name}.fits`), 'fits>png')
    t.equal((await colourAt(bytes, 5, 0))[0], 255, 'the last row is at the top')
    t.equal((await colourAt(bytes, 5, 63))[0], 0)
    const [middle] = await colourAt(bytes, 5, 32)
    t.ok(Math.abs(middle! - 127) < 10, `${middle} in the middle`)
  }
})

t.test('icons have the sizes of their systems, none enlarged', async (t) => {
  const square = (side: number) => sharp(png).resize(side, side, { fit: 'fill' }).png().toBuffer()
  const { bytes } = await convert(await square(40), 'png>ico')
  const sides = Array.from({ length: bytes.readUInt16LE(4) }, (_, at) => bytes[6 + 16 * at])
  t.strictSame(sides.toSorted(), [16, 24, 32, 40])
  const cursor = (await convert(await square(40), 'png>cur')).bytes
  t.strictSame([...cursor.subarray(0, 4)], [0, 0, 2, 0])
  for (const [side, wanted] of [
    [1024, 1024],
    [300, 512],
  ] as const) {
    const icns = (await convert(await square(side), 'png>icns')).bytes
    t.equal((await sharp((await convert(icns, 'icns>png')).bytes).metadata()).width, wanted)
  }
})
