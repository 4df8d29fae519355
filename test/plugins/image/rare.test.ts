/** Our own programs that read and write pictures which others cannot, each by one file. */
import sharp from 'sharp'
import t from 'tap'
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

/** A PCX in one plane of one bit (ZSoft's technical reference): a black square in the corner of white. */
function bilevel(): Buffer {
  const head = Buffer.alloc(128)
  head.set([10, 5, 1, 1])
  for (const [at, value] of [
    [8, 31],
    [10, 15],
    [66, 4],
  ] as const)
    head.writeUInt16LE(value, at)
  head[65] = 1
  const row = (black: boolean) => [black ? 0 : 0xc1, ...(black ? [] : [0xff]), 0xc3, 0xff]
  return Buffer.concat([head, ...Array.from({ length: 16 }, (_, y) => Buffer.from(row(y < 8)))])
}

t.test('pcx of one bit, alone and in dcx', async (t) => {
  const pcx = bilevel()
  const head = Buffer.alloc(12)
  head.writeUInt32LE(0x3ade68b1, 0)
  head.writeUInt32LE(head.length, 4)
  const dcx = Buffer.concat([head, pcx])
  for (const [from, bytes] of Object.entries({ pcx, dcx })) {
    const data = await sharp((await convert(bytes, `${from}>png`)).bytes)
      .toColourspace('b-w')
      .raw()
      .toBuffer()
    t.same([data[0], data[31]], [0, 255], from)
  }
})

/** A FITS file: an empty primary image, then one of 64 × 64 numbers, bright at the top. */
function telescope(bits: 16 | -32): Buffer {
  const header = (...cards: string[]) => {
    const lines = [...cards, 'END'].map((card) => card.padEnd(80))
    return Buffer.from(lines.join('').padEnd(2880), 'latin1')
  }
  const size = Math.abs(bits) / 8
  const data = Buffer.alloc(Math.ceil((64 * 64 * size) / 2880) * 2880)
  for (let index = 0; index < 64 * 64; index++) {
    // Rows start at the bottom; one dot is brighter than all others.
    const value = index === 2000 ? 30_000 : 100 + Math.floor(index / 64)
    if (bits === 16) data.writeInt16BE(value, 2 * index)
    else data.writeFloatBE(value, 4 * index)
  }
  return Buffer.concat([
    header('SIMPLE  = T', 'BITPIX  = 8', 'NAXIS   = 0', 'EXTEND  = T'),
    header("XTENSION= 'IMAGE   '", `BITPIX  = ${bits}`, 'NAXIS   = 2', 'NAXIS1  = 64', 'NAXIS2  = 64'),
    data,
  ])
}

t.test('fits: the tones are spread, and the image is found behind an empty one', async (t) => {
  for (const bits of [16, -32] as const) {
    const { bytes } = await convert(telescope(bits), 'fits>png')
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
