/** Pictures as pages: their size, and that nothing is lost or encoded again. */
import { readFile } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import t from 'tap'
import { magick, program } from '../../fixtures/program.ts'
import { bare } from '../bare.ts'
import { reader } from '../reading.ts'

t.setTimeout(30 * 60_000)
const own = await bare(t, ['document', 'image'])
const { made } = reader(own)

const width = 96
const height = 60
/** A gradient with a red corner, so that turning it shows. */
const pixels = Buffer.from(
  Array.from({ length: width * height }, (_, at) => {
    const x = at % width
    const y = Math.floor(at / width)
    return x < 30 && y < 20 ? [255, 0, 0] : [x * 2, y * 4, 90]
  }).flat(),
)
const picture = () => sharp(pixels, { raw: { width, height, channels: 3 } })
const alpha = Buffer.from(pixels.filter((_, at) => at % 3 === 0))
const clear = () => picture().joinChannel(alpha, { raw: { width, height, channels: 1 } })

/** The pictures of a PDF as poppler lists them. */
async function listed(pdf: string) {
  const lines = (await program('pdfimages', '-list', pdf)).toString().split('\n').slice(2).filter(Boolean)
  return lines.map((line) => {
    const [, , type, wide, high, colour, , bits, encoding] = line.trim().split(/\s+/)
    return { type, size: [Number(wide), Number(high)], colour, bits: Number(bits), encoding }
  })
}

/** Sides of the pages in points, rounded. */
async function sides(pdf: string) {
  const text = (await program('pdfinfo', '-l', 99, pdf)).toString()
  return [...text.matchAll(/Page.*size: +([\d.]+) x ([\d.]+) pts/g)].map((found) =>
    found.slice(1).map(Number).map(Math.round),
  )
}

/** What MuPDF draws of the first page at a width, in sRGB. */
async function drawn(pdf: string, across = width) {
  await program('mutool', 'draw', '-q', '-w', across, '-o', `${pdf}.png`, pdf, 1)
  return rawOf(sharp(`${pdf}.png`).removeAlpha())
}
const rawOf = (image: Sharp) => image.toColourspace('srgb').raw({ depth: 'uchar' }).toBuffer()

/** Largest difference of two pictures in any sample. */
const worst = (one: Buffer, other: Buffer) =>
  one.length === other.length ? one.reduce((max, value, at) => Math.max(max, Math.abs(value - other[at]!)), 0) : 999

/** Several pictures in one file of ImageMagick. */
async function joined(format: string, ...parts: (string | number)[]): Promise<Buffer> {
  const path = await own.file(`joined.${format}`, '')
  await magick(...parts, `${format}:${path}`)
  return readFile(path)
}

t.test('a page is as large as the picture says, or 96 dpi; each page of a TIFF at its own size', async (t) => {
  const parts = await Promise.all([
    own.file('1.tif', await picture().tiff({ xres: 10, yres: 10 }).toBuffer()),
    own.file('2.tif', await picture().resize(40, 80, { fit: 'fill' }).tiff({ xres: 5, yres: 5 }).toBuffer()),
    own.file('3.png', await picture().withDensity(200).png().toBuffer()),
  ])
  for (const [pair, source, ...wanted] of [
    ['png>pdf', await picture().withDensity(300).png().toBuffer(), [23, 14]],
    ['jpg>pdf', await picture().jpeg().toBuffer(), [72, 45]],
    [
      'tif>pdf',
      await picture()
        .tiff({ xres: 200 / 25.4, yres: 100 / 25.4 })
        .toBuffer(),
      [35, 43],
    ],
    ['bmp>pdf', await joined('bmp', parts[2]!, '-density', 200, '-units', 'PixelsPerInch'), [35, 22]],
    ['tif>pdf', await joined('tif', parts[0]!, parts[1]!), [27, 17], [23, 45]],
  ] as const)
    t.strictSame(await sides((await made(source, pair)).path), wanted, pair)
  const { path } = await made(await joined('gif', '-size', '40x30', 'xc:red', 'xc:blue'), 'gif>pdf')
  t.strictSame(await sides(path), [[30, 23]], 'the first frame of an animation')
  t.strictSame([...(await drawn(path, 40)).subarray(0, 3)], [255, 0, 0])
})

t.test('what PDF can hold stays as it is', async (t) => {
  const jpg = await picture().jpeg({ progressive: true }).toBuffer()
  const { path } = await made(jpg, 'jpg>pdf')
  await program('pdfimages', '-all', path, `${path}-out`)
  t.equal(worst(await sharp(jpg).raw().toBuffer(), await sharp(`${path}-out-000.jpg`).raw().toBuffer()), 0)
  t.match(await listed(path), [{ encoding: 'jpeg', bits: 8, colour: 'rgb' }])

  const fax = picture().threshold(100).toColourspace('b-w').tiff({ compression: 'ccittfax4', bitdepth: 1 })
  for (const [pair, image, expected] of [
    ['png>pdf', picture().png(), { encoding: 'image', bits: 8, colour: 'rgb' }],
    ['png>pdf', picture().toColourspace('b-w').png(), { bits: 8, colour: 'gray' }],
    ['png>pdf', picture().png({ palette: true, colours: 16, dither: 0 }), { colour: 'index' }],
    ['png>pdf', picture().toColourspace('rgb16').png(), { bits: 16, colour: 'rgb' }],
    ['tif>pdf', fax, { encoding: 'ccitt', bits: 1 }],
  ] as const) {
    const source = await image.toBuffer()
    const { path, bytes } = await made(source, pair)
    const name = JSON.stringify(expected)
    t.match(await listed(path), [expected], name)
    t.ok(worst(await drawn(path), await rawOf(sharp(source))) <= 1, name)
    t.ok(bytes.length < source.length * 1.2 + 1500, `${name}: ${bytes.length} bytes`)
    await t.resolves(program('qpdf', '--check', path))
  }
})

t.test('transparency is a soft mask', async (t) => {
  for (const [pair, image] of [
    ['png>pdf', clear().png()],
    ['tif>pdf', clear().tiff({ compression: 'lzw' })],
  ] as const) {
    const source = await image.toBuffer()
    const { path } = await made(source, pair)
    t.match(await listed(path), [{ type: 'image' }, { type: 'smask', colour: 'gray' }], pair)
    t.ok(worst(await drawn(path), await sharp(source).flatten({ background: '#fff' }).raw().toBuffer()) <= 3, pair)
  }
})

t.test('turned as EXIF says, without another encoding', async (t) => {
  for (const orientation of [3, 5, 6, 8]) {
    const source = await picture().withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer()
    const { path } = await made(source, 'jpg>pdf')
    const { data, info } = await sharp(source).autoOrient().raw().toBuffer({ resolveWithObject: true })
    t.match(await listed(path), [{ encoding: 'jpeg', size: [width, height] }])
    t.ok(worst(await drawn(path, info.width), data) <= 2, `orientation ${orientation}`)
  }
})

t.test('colours keep their profile, inks stay inks, and metadata can be removed', async (t) => {
  const red = () => sharp({ create: { width, height, channels: 3, background: '#e02010' } })
  const inks = () => red().toColourspace('cmyk').withIccProfile('cmyk')
  const { path } = await made(await inks().tiff({ compression: 'lzw' }).toBuffer(), 'tif>pdf')
  t.match(await listed(path), [{ colour: 'icc' }])
  // Adobe's segment says that the inks of a JPEG are stored as the light that they let through.
  const light = await made(await inks().jpeg({ quality: 100 }).toBuffer(), 'jpg>pdf')
  t.match(await listed(light.path), [{ encoding: 'jpeg' }])
  t.ok(worst(await drawn(light.path), await drawn(path)) <= 12)
  const secret = 'Jane Photographer'
  const source = await red()
    .withExif({ IFD0: { Artist: secret } })
    .jpeg()
    .toBuffer()
  t.ok((await made(source, 'jpg>pdf')).bytes.includes(secret))
  t.notOk((await made(source, 'jpg>pdf', { metadata: 'remove' })).bytes.includes(secret))
})
