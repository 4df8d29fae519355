/** Our own programs that read and write pictures which others cannot, each by one file. */
import sharp from 'sharp'
import t from 'tap'
import { stored } from '../../fixtures/files.ts'
import { linear } from '../../fixtures/linear.ts'
import { height, pixels, width } from '../../fixtures/picture.ts'
import { bare } from '../bare.ts'
import { colourAt, likeness } from './pictures.ts'

const { convert, failure, folder } = await bare(t, ['image', 'vector', 'document'])

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

/** An OpenEXR picture without compression, whose channels have these names, in the order of the alphabet. */
function exr(channels: Record<string, (x: number, y: number) => number>): Buffer {
  const whole = (...numbers: number[]) => Buffer.from(Int32Array.from(numbers).buffer)
  const attribute = (name: string, kind: string, value: Buffer) =>
    Buffer.concat([Buffer.from(`${name}\0${kind}\0`), whole(value.length), value])
  const names = Object.keys(channels).sort()
  const list = names.flatMap((name) => [Buffer.from(`${name}\0`), whole(2, 0, 1, 1)])
  const box = whole(0, 0, width - 1, height - 1)
  const one = Buffer.from(Float32Array.of(1).buffer)
  const head = Buffer.concat([
    whole(20_000_630, 2),
    attribute('channels', 'chlist', Buffer.concat([...list, Buffer.alloc(1)])),
    attribute('compression', 'compression', Buffer.alloc(1)),
    attribute('dataWindow', 'box2i', box),
    attribute('displayWindow', 'box2i', box),
    attribute('lineOrder', 'lineOrder', Buffer.alloc(1)),
    attribute('pixelAspectRatio', 'float', one),
    attribute('screenWindowCenter', 'v2f', Buffer.alloc(8)),
    attribute('screenWindowWidth', 'float', one),
    Buffer.alloc(1),
  ])
  const lines = Array.from({ length: height }, (_, y) => {
    const values = names.flatMap((name) => Array.from({ length: width }, (_, x) => channels[name]!(x, y)))
    return Buffer.concat([whole(y, values.length * 4), Buffer.from(Float32Array.from(values).buffer)])
  })
  const first = head.length + 8 * height
  const places = BigInt64Array.from({ length: height }, (_, y) => BigInt(first + y * lines[0]!.length))
  return Buffer.concat([head, Buffer.from(places.buffer), ...lines])
}

t.test('exr whose colours are in layers shows the layer that is whole', async (t) => {
  const light = (at: number) => (x: number, y: number) => linear(rgb[3 * (y * width + x) + at]!)
  const layer = (name: string) => ({ [`${name}.R`]: light(0), [`${name}.G`]: light(1), [`${name}.B`]: light(2) })
  const none = () => 0
  const dark = { 'A first.R': none, 'A first.G': none, 'A first.B': none }
  const deep = { 'View.Depth.Z': () => 5, 'Zebra.X': none }
  t.ok((await alike(exr(layer('Livello 1')), 'exr')) > 40, 'one layer')
  t.ok((await alike(exr({ ...dark, ...layer('View.Combined'), ...deep }), 'exr')) > 40, 'among others')
})

t.test('xcf has the size of its canvas; deep ones and masks are refused', async (t) => {
  const source = stored('picture.xcf')
  const larger = Buffer.from(source)
  larger.writeUInt32BE(width + 30, 14)
  const { width: across, height: down } = await sharp((await convert(larger, 'xcf>png')).bytes).metadata()
  t.strictSame([across, down], [width + 30, height])
  const deep = Buffer.concat([Buffer.from('gimp xcf v012\0'), Buffer.alloc(12), Buffer.from([0, 0, 0, 250])])
  t.match(await failure(deep, 'xcf>png'), { message: /more than 8 bits/ })
  const masked = Buffer.from(source)
  // Its mode, which is the usual one, becomes the property that a mask is in use.
  let end = masked.indexOf(Buffer.from([0, 0, 0, 7, 0, 0, 0, 4]))
  masked.writeUInt32BE(11, end)
  masked.writeUInt32BE(1, end + 8)
  while (masked.readUInt32BE(end) !== 0) end += 8 + masked.readUInt32BE(end + 4)
  // Behind the properties: where the pixels are, and the mask.
  masked.writeBigUInt64BE(200n, end + 16)
  t.match(await failure(masked, 'xcf>png'), { message: /Layer masks/ })
})

t.test('a pict that only draws is drawn', async (t) => {
  const word = (...numbers: number[]) => Buffer.from(numbers.flatMap((number) => [(number >> 8) & 255, number & 255]))
  // A red rectangle on the left half of 200 × 100, with and without a resolution.
  const drawing = (...head: number[]) => {
    const body = word(0, 0, 0, 100, 200, 0x0011, 0x02ff, 0x0c00, ...head, 0x001a, 0xffff, 0, 0, 0x0031, 0, 0, 100, 100)
    return Buffer.concat([Buffer.alloc(512), body, word(0x00ff)])
  }
  const resolved = drawing(0xfffe, 0, 72, 0, 72, 0, 0, 0, 100, 200, 0, 0)
  const { bytes } = await convert(resolved, 'pict>png')
  const { bytes: svg } = await convert(drawing(0xffff, 0xffff, 0, 0, 0, 0, 200, 0, 100, 0, 0, 0), 'pict>svg')
  t.notMatch((await convert(resolved, 'pict>pdf')).bytes.toString('latin1'), /Subtype *\/Image/, 'also in PDF')
  t.match(svg.toString(), /<path/, 'as vectors')
  t.notMatch(svg.toString(), /<image/)
  t.match(svg.toString(), /<svg[^>]* width="(199|200)[^>]* height="(99|100)/, 'in its size')
  const picture = sharp(bytes).flatten({ background: '#fff' }).resize(200, 100, { fit: 'fill' })
  const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (x: number) => [...data.subarray(3 * (50 * info.width + x), 3 * (50 * info.width + x) + 3)]
  t.strictSame(
    [at(50), at(150)],
    [
      [255, 0, 0],
      [255, 255, 255],
    ],
  )
})
