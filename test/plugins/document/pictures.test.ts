import { readFile } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import t from 'tap'
import { magick, program } from '../../fixtures/program.ts'
import { facts, studio } from './studio.ts'

t.setTimeout(60 * 60_000)
const documents = await studio()
t.teardown(() => documents[Symbol.asyncDispose]())
const { convert, file } = documents

const [width, height] = [96, 60]
/** A gradient with a red corner, so that turning it shows. */
const pixels = Buffer.from(
  Array.from({ length: width * height }, (_, at) => {
    const [x, y] = [at % width, Math.floor(at / width)]
    return x < 30 && y < 20 ? [255, 0, 0] : [x * 2, y * 4, 90]
  }).flat(),
)
const picture = () => sharp(pixels, { raw: { width, height, channels: 3 } })
const clear = () =>
  picture().joinChannel(Buffer.from(pixels.filter((_, at) => at % 3 === 0)), { raw: { width, height, channels: 1 } })

/** A page as poppler lists it. */
async function listed(pdf: string) {
  const lines = (await program('pdfimages', '-list', pdf)).toString().split('\n').slice(2).filter(Boolean)
  return lines.map((line) => {
    const [page, , type, wide, high, colour, , bits, encoding, , , , across, down] = line.trim().split(/\s+/)
    return {
      page: Number(page),
      type,
      size: [wide, high].map(Number),
      colour,
      bits: Number(bits),
      encoding,
      across,
      down,
    }
  })
}

/** Sides of the pages in points, rounded. */
async function sides(pdf: string) {
  const text = (await program('pdfinfo', '-l', 99, pdf)).toString()
  return [...text.matchAll(/Page.*size: +([\d.]+) x ([\d.]+) pts/g)].map((found) =>
    found.slice(1).map(Number).map(Math.round),
  )
}

/** What MuPDF draws of a page at a width, in sRGB. */
async function drawn(pdf: string, across = width, page = 1) {
  const png = `${pdf}-${page}.png`
  await program('mutool', 'draw', '-q', '-w', across, '-o', png, pdf, page)
  return sharp(png).removeAlpha().toColourspace('srgb').raw({ depth: 'uchar' }).toBuffer()
}

/** Largest difference of two pictures in any sample. */
const worst = (one: Buffer, other: Buffer) =>
  one.length === other.length
    ? one.reduce((most, value, at) => Math.max(most, Math.abs(value - other[at]!)), 0)
    : Infinity

const make = async (name: string, image: Sharp) => file(name, await image.toBuffer())

t.test('a page is as large as the picture says, or 96 dpi', async (t) => {
  const made: [string, Promise<string>, number[]][] = [
    ['png', make('a.png', picture().withDensity(300).png()), [23, 14]],
    ['png without a resolution', make('a.png', picture().png()), [72, 45]],
    ['jpg', make('a.jpg', picture().withDensity(150).jpeg()), [46, 29]],
    ['jpg without a unit', make('a.jpg', picture().jpeg()), [72, 45]],
    ['tif', make('a.tif', picture().tiff({ xres: 200 / 25.4, yres: 100 / 25.4 })), [35, 43]],
    ['webp', make('a.webp', picture().webp()), [72, 45]],
    ['webp with EXIF', make('a.webp', picture().withDensity(192).webp()), [36, 23]],
    ['gif', make('a.gif', picture().gif()), [72, 45]],
    ['avif', make('a.avif', picture().avif()), [72, 45]],
  ]
  for (const [name, source, size] of made) {
    const path = await source
    t.strictSame(await sides((await convert(path, 'pdf')).path), [size], name)
  }
  const png = await make('b.png', picture().withDensity(200).png())
  for (const to of ['bmp', 'psd', 'pcx']) {
    const path = await file(`a.${to}`, '')
    await magick(png, '-density', 200, '-units', 'PixelsPerInch', `${to}:${path}`)
    t.strictSame(await sides((await convert(path, 'pdf')).path), [[35, 22]], `${to}, which another plugin reads`)
  }
  const bare = await make('b.png', picture().png())
  for (const to of ['tga', 'ppm', 'sgi', 'heic', 'jp2', 'jxl']) {
    const path = await file(`a.${to}`, '')
    if (to === 'heic') await program('heif-enc', bare, '-o', path)
    else if (to === 'jxl') await program('cjxl', bare, path)
    else await magick(bare, `${to}:${path}`)
    t.strictSame(await sides((await convert(path, 'pdf')).path), [[72, 45]], `${to}, which has none`)
  }
})

t.test('what PDF can hold stays as it is', async (t) => {
  const jpg = await make('a.jpg', picture().jpeg({ progressive: true }))
  const { path } = await convert(jpg, 'pdf')
  await program('pdfimages', '-all', path, `${path}-out`)
  const [before, after] = await Promise.all([jpg, `${path}-out-000.jpg`].map((name) => sharp(name).raw().toBuffer()))
  t.equal(worst(before!, after!), 0)
  t.match(await listed(path), [{ encoding: 'jpeg', bits: 8, colour: 'rgb' }])

  for (const [name, image, expected] of [
    ['png', picture().png(), { encoding: 'image', bits: 8, colour: 'rgb' }],
    ['gray png', picture().toColourspace('b-w').png(), { bits: 8, colour: 'gray' }],
    ['palette', picture().png({ palette: true, colours: 16, dither: 0 }), { colour: 'index' }],
    ['interlaced', picture().png({ progressive: true }), { bits: 8, colour: 'rgb' }],
    ['16 bits', picture().toColourspace('rgb16').png(), { bits: 16, colour: 'rgb' }],
  ] as const) {
    const source = await make('a.png', image)
    const made = await convert(source, 'pdf')
    t.match(await listed(made.path), [expected], name)
    t.ok(
      worst(await drawn(made.path), await sharp(source).toColourspace('srgb').raw({ depth: 'uchar' }).toBuffer()) <= 1,
      name,
    )
    t.ok(made.bytes.length < (await readFile(source)).length * 1.2 + 1500, `${name}: ${made.bytes.length} bytes`)
    await t.resolves(program('qpdf', '--check', made.path))
  }

  const scan = picture().threshold(100).toColourspace('b-w').tiff({ compression: 'ccittfax4', bitdepth: 1 })
  const fax = await make('a.tif', scan)
  const faxed = await convert(fax, 'pdf')
  t.match(await listed(faxed.path), [{ encoding: 'ccitt', bits: 1 }])
  t.equal(worst(await drawn(faxed.path), await sharp(fax).toColourspace('srgb').raw().toBuffer()), 0)
})

t.test('lossy pictures become JPEG, lossless ones lose nothing', async (t) => {
  const noise = sharp({
    create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  })
  const { data } = await noise.raw().toBuffer({ resolveWithObject: true })
  const source = await make('a.png', sharp(data, { raw: { width, height, channels: 3 } }).png())
  for (const to of ['webp', 'avif', 'heic', 'jxl', 'jp2', 'bmp', 'psd']) {
    const path = await file(`a.${to}`, '')
    if (to === 'webp' || to === 'avif') await sharp(source).toFile(path)
    else if (to === 'heic') await program('heif-enc', '-q', 60, source, '-o', path)
    else if (to === 'jxl') await program('cjxl', source, path)
    else await magick(source, `${to}:${path}`)
    const exact = to === 'bmp' || to === 'psd'
    const made = await convert(path, 'pdf')
    t.match(await listed(made.path), [{ encoding: exact ? 'image' : 'jpeg' }], to)
    if (exact) t.equal(worst(await drawn(made.path), data), 0)
  }
})

t.test('transparency is a soft mask', async (t) => {
  for (const [name, image] of [
    ['a.png', clear().png()],
    ['a.webp', clear().webp({ lossless: true })],
    ['a.tif', clear().tiff({ compression: 'lzw' })],
    ['b.png', clear().png({ palette: true, colours: 64 })],
  ] as const) {
    const source = await make(name, image)
    const { path } = await convert(source, 'pdf')
    t.match(await listed(path), [{ type: 'image' }, { type: 'smask', colour: 'gray' }], name)
    const white = await sharp(source).flatten({ background: '#fff' }).raw().toBuffer()
    t.ok(worst(await drawn(path), white) <= 3, name)
  }
})

t.test('turned as EXIF says, without another encoding', async (t) => {
  for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const source = await make('a.jpg', picture().withMetadata({ orientation }).jpeg({ quality: 95 }))
    const { path } = await convert(source, 'pdf')
    const upright = sharp(source).autoOrient()
    const { data, info } = await upright.raw().toBuffer({ resolveWithObject: true })
    t.match(await listed(path), [{ encoding: 'jpeg', size: [width, height] }])
    t.ok(worst(await drawn(path, info.width), data) <= 2, `orientation ${orientation}`)
  }
})

t.test('colours keep their profile, and inks stay inks', async (t) => {
  const red = () => sharp({ create: { width, height, channels: 3, background: '#e02010' } })
  const inks = () => red().toColourspace('cmyk').withIccProfile('cmyk')
  for (const [name, image, off] of [
    ['a.png', red().withIccProfile('p3').png(), 3],
    ['b.tif', red().withIccProfile('p3').tiff({ compression: 'lzw' }), 3],
    ['a.jpg', inks().jpeg({ quality: 95 }), 30],
    ['a.tif', inks().tiff({ compression: 'lzw' }), 30],
  ] as const) {
    const { path } = await convert(await make(name, image), 'pdf')
    t.match(await listed(path), [{ colour: 'icc' }], name)
    // Debian's MuPDF knows no profiles.
    await program('pdftoppm', '-png', '-singlefile', path, path)
    const pixel = await sharp(`${path}.png`).extract({ left: 20, top: 20, width: 1, height: 1 }).raw().toBuffer()
    t.ok(worst(pixel, Buffer.from([0xe0, 0x20, 0x10])) <= off, `${name}: ${[...pixel]}`)
  }
})

t.test('every page of a TIFF at its own size; the first frame of an animation', async (t) => {
  const parts = [
    await make('1.tif', picture().tiff({ xres: 10, yres: 10 })),
    await make('2.tif', picture().resize(40, 80, { fit: 'fill' }).grayscale().tiff({ xres: 5, yres: 5 })),
  ]
  const several = await file('several.tif', '')
  await magick(...parts, `TIFF:${several}`)
  t.strictSame(await sides((await convert(several, 'pdf')).path), [
    [27, 17],
    [23, 45],
  ])
  const animation = await file('a.gif', '')
  await magick('-size', '40x30', 'xc:red', 'xc:blue', `GIF:${animation}`)
  const { path } = await convert(animation, 'pdf')
  t.strictSame(await sides(path), [[30, 23]])
  t.strictSame([...(await drawn(path, 40)).subarray(0, 3)], [255, 0, 0])
})

t.test('metadata removed leaves nothing behind in the JPEG', async (t) => {
  const secret = 'Jane Photographer'
  const source = await make(
    'a.jpg',
    picture()
      .withExif({ IFD0: { Artist: secret } })
      .jpeg(),
  )
  t.match((await facts(source)).Artist, secret)
  t.ok((await convert(source, 'pdf')).bytes.includes(secret))
  t.notOk((await convert(source, 'pdf', { metadata: 'remove' })).bytes.includes(secret))
})
