import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { colourAt, near, pattern, psnr, quarters, samples } from './pictures.ts'
import { real, studio } from './studio.ts'

const { convert, can, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())

const red = [255, 0, 0]
const green = [0, 255, 0]
const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:tiff="http://ns.adobe.com/tiff/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" tiff:Orientation="6" dc:format="secret-xmp"/></rdf:RDF></x:xmpmeta>`

/** A jpg stored sideways with an EXIF orientation, and with all metadata of cameras and editors. */
const photograph = await (await quarters(64, 32))
  .withExif({ IFD0: { Orientation: '6', Artist: 'secret-artist' }, IFD3: { GPSLatitudeRef: 'N' } })
  .withXmp(xmp)
  .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
  .toBuffer()
  .then((bytes) =>
    sharp(bytes).keepMetadata().withMetadata({ orientation: 6 }).withXmp(xmp).jpeg({ quality: 95 }).toBuffer(),
  )

/** Returns what exiftool reads from a file. */
async function tags(bytes: Buffer, extension: string): Promise<Record<string, unknown>> {
  const folder = await mkdtemp(join(tmpdir(), 'tags-'))
  try {
    await writeFile(join(folder, `file.${extension}`), bytes)
    return JSON.parse(
      execFileSync('exiftool', ['-j', '-n', '-G1', join(folder, `file.${extension}`)], { encoding: 'utf8' }),
    )[0]
  } finally {
    await rm(folder, { recursive: true })
  }
}

t.test('orientation is applied to the pixels, with or without metadata', async (t) => {
  for (const to of ['png', 'webp', 'avif', 'tif', 'gif', 'bmp', 'heic', 'jxl'].filter((to) => can('jpg', to)))
    for (const stripMetadata of [false, true]) {
      const made = await convert(photograph, 'jpg', to, { stripMetadata })
      const direct = ['png', 'webp', 'avif', 'tif', 'gif'].includes(to)
      const seen = direct ? made.bytes : (await convert(made.bytes, to, 'png')).bytes
      const { width, height, orientation = 1 } = await sharp(seen).metadata()
      t.same([width, height, orientation], [32, 64, 1], `${to}, ${stripMetadata ? 'without' : 'with'} metadata`)
      // After a turn to the right, the lower left quarter comes first.
      t.ok(near(await colourAt(seen, 8, 16), [0, 0, 255], 30), `${to}: blue`)
      t.ok(near(await colourAt(seen, 24, 16), red, 30), `${to}: red`)
    }
})

t.test('metadata is kept with upright orientation, or removed', async (t) => {
  for (const to of ['png', 'webp', 'avif']) {
    const kept = await tags((await convert(photograph, 'jpg', to)).bytes, to)
    t.equal(kept['IFD0:Artist'], 'secret-artist', `${to} keeps EXIF`)
    t.equal(kept['XMP-dc:Format'], 'secret-xmp', `${to} keeps XMP`)
    t.equal(kept['IFD0:Orientation'] ?? 1, 1, `${to}: EXIF says upright`)
    t.equal(kept['XMP-tiff:Orientation'] ?? 1, 1, `${to}: XMP says upright`)
    t.notMatch(
      (await convert(photograph, 'jpg', to, { stripMetadata: true })).bytes.toString('latin1'),
      /secret|GPS|IFD/,
    )
  }
  for (const to of ['tif', 'jxl', 'jp2', 'psd', 'heic'].filter((to) => can('jpg', to))) {
    const made = (await convert(photograph, 'jpg', to)).bytes
    const kept = await tags(made, to)
    t.equal(kept['IFD0:Artist'], 'secret-artist', `${to} keeps EXIF`)
    t.equal(kept['IFD0:Orientation'] ?? 1, 1, `${to}: EXIF says upright`)
    const back = await tags((await convert(made, to, 'jpg')).bytes, 'jpg')
    t.equal(back['IFD0:Artist'], 'secret-artist', `${to} hands EXIF on`)
  }
  for (const to of ['tif', 'gif', 'bmp', 'heic', 'jxl'].filter((to) => can('jpg', to)))
    t.notMatch((await convert(photograph, 'jpg', to, { stripMetadata: true })).bytes.toString('latin1'), /secret/, to)
})

t.test('without metadata, none is added', async (t) => {
  const { bytes } = await convert(await pattern(32, 32).png().toBuffer(), 'png', 'jpg')
  const { exif, icc, xmp } = await sharp(bytes).metadata()
  t.same([exif, icc, xmp], [undefined, undefined, undefined])
})

t.test('a profile other than sRGB is kept, or converted if the target cannot store it', async (t) => {
  const flat = { create: { width: 16, height: 16, channels: 3 as const, background: '#ff0000' } }
  const wide = await sharp(flat).withIccProfile('p3').png().toBuffer()
  const stored = [...(await samples(wide)).subarray(0, 3)]
  t.notSame(stored, red, 'sRGB red is less than full in Display P3')
  for (const stripMetadata of [false, true])
    for (const to of ['webp', 'tif', 'avif']) {
      const { bytes } = await convert(wide, 'png', to, { stripMetadata, ...(to !== 'tif' && { lossless: true }) })
      t.ok((await sharp(bytes).metadata()).icc, `${to} has a profile`)
      t.same([...(await samples(bytes)).subarray(0, 3)], stored, `${to} has the same samples`)
    }
  const gif = await convert(wide, 'png', 'gif')
  t.ok(near(await colourAt(gif.bytes, 4, 4), red, 4), 'gif')
  const bmp = await convert((await convert(wide, 'png', 'bmp')).bytes, 'bmp', 'png')
  t.ok(near(await colourAt(bmp.bytes, 4, 4), red, 4), 'bmp')
})

t.test('an sRGB profile is kept unless metadata is removed', async (t) => {
  const plain = await pattern(32, 32).withIccProfile('srgb').png().toBuffer()
  t.ok((await sharp((await convert(plain, 'png', 'webp')).bytes).metadata()).icc)
  const stripped = await convert(plain, 'png', 'webp', { stripMetadata: true, lossless: true })
  t.notOk((await sharp(stripped.bytes).metadata()).icc)
  t.equal(psnr(await samples(stripped.bytes), await samples(plain)), Infinity)
})

t.test('CMYK becomes sRGB without its profile', async (t) => {
  const inks = await sharp({ create: { width: 16, height: 16, channels: 3, background: '#ff0000' } })
    .withIccProfile('cmyk')
    .toColourspace('cmyk')
    .jpeg({ quality: 95 })
    .toBuffer()
  t.equal((await sharp(inks).metadata()).space, 'cmyk')
  for (const to of ['png', 'webp', 'tif', 'avif', 'jxl', 'heic'].filter((to) => can('jpg', to))) {
    const made = await convert(inks, 'jpg', to)
    const seen = to === 'jxl' || to === 'heic' ? (await convert(made.bytes, to, 'png')).bytes : made.bytes
    const meta = await sharp(seen).metadata()
    t.same([meta.space, meta.channels], ['srgb', 3], to)
    t.notMatch(meta.icc?.toString('latin1', 16, 20) ?? '', /CMYK/)
    t.ok(near(await colourAt(seen, 8, 8), red, 45), `${to}: ${await colourAt(seen, 8, 8)}`)
  }
  const corpus = real('cmyk.jpg')
  if (existsSync(corpus)) t.equal((await sharp((await convert(corpus, 'jpg', 'png')).bytes).metadata()).space, 'srgb')
})

t.test('16 bits are kept if the target has them', async (t) => {
  const pixels = new Uint16Array(64 * 64 * 3).map((_, index) => (index * 257) % 65_536)
  const raw = { width: 64, height: 64, channels: 3 as const }
  const deep = await sharp(pixels, { raw }).toColourspace('rgb16').png().toBuffer()
  const exact = (file: Buffer) =>
    sharp(file, { ignoreIcc: true }).raw({ depth: 'ushort' }).toColourspace('rgb16').toBuffer()
  for (const to of ['tif', 'jxl'].filter((to) => can('png', to))) {
    const made = await convert(deep, 'png', to, { lossless: true })
    const seen = to === 'jxl' ? (await convert(made.bytes, to, 'png')).bytes : made.bytes
    t.equal((await sharp(seen).metadata()).depth, 'ushort', to)
    t.ok((await exact(seen)).equals(await exact(deep)), `${to}: the same samples`)
  }
  const back = await convert((await convert(deep, 'png', 'tif')).bytes, 'tif', 'png')
  t.ok((await exact(back.bytes)).equals(await exact(deep)))
  t.equal((await sharp((await convert(deep, 'png', 'webp')).bytes).metadata()).depth, 'uchar')
  const grey = await sharp(await pattern(32, 32, 1).png().toBuffer())
    .toColourspace('grey16')
    .png()
    .toBuffer()
  const meta = await sharp((await convert(grey, 'png', 'tif')).bytes).metadata()
  t.same([meta.depth, meta.channels], ['ushort', 1])
})

t.test('grey pictures keep one channel', async (t) => {
  const grey = await sharp(await pattern(32, 32, 1).png().toBuffer())
    .toColourspace('b-w')
    .png()
    .toBuffer()
  for (const to of ['jpg', 'tif'])
    t.equal((await sharp((await convert(grey, 'png', to)).bytes).metadata()).channels, 1, to)
  t.ok(near(await colourAt((await convert(grey, 'png', 'jpg')).bytes, 16, 16), await colourAt(grey, 16, 16)))
})

t.test('drawings', async (t) => {
  const svg = (attributes: string, body: string) =>
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${body}</svg>`)
  const half = '<rect width="50%" height="100%" fill="#f00"/><rect x="50%" width="50%" height="100%" fill="#0f0"/>'
  const cases: [string, object, number[]][] = [
    ['width="96" height="48"', {}, [150, 75]],
    ['width="1in" height="0.5in"', {}, [150, 75]],
    ['viewBox="0 0 192 96"', {}, [300, 150]],
    ['width="96" height="48"', { maxWidth: 1000 }, [1000, 500]],
    ['width="96" height="48"', { maxWidth: 1000, maxHeight: 100 }, [200, 100]],
    ['width="96" height="48"', { maxWidth: 1000, maxHeight: 1000, fit: 'outside' }, [2000, 1000]],
    ['width="96" height="48"', { maxWidth: 300, maxHeight: 300, fit: 'cover' }, [300, 300]],
    ['width="9600" height="4800"', { maxWidth: 20 }, [20, 10]],
  ]
  for (const [attributes, options, size] of cases) {
    const { bytes } = await convert(svg(attributes, half), 'svg', 'png', options)
    const { width, height } = await sharp(bytes).metadata()
    t.same([width, height], size, `${attributes} ${JSON.stringify(options)}`)
    t.ok(near(await colourAt(bytes, Math.floor(width / 4), Math.floor(height / 2)), red))
    t.ok(near(await colourAt(bytes, Math.floor((width * 3) / 4), Math.floor(height / 2)), green))
  }
  // A line of 36 pt is 48 pixels at 96 dpi, at any resolution.
  const points = svg('width="96" height="96"', '<rect width="36pt" height="100%" fill="#f00"/>')
  for (const maxWidth of [96, 960]) {
    const { bytes } = await convert(points, 'svg', 'png', { maxWidth })
    t.equal((await colourAt(bytes, maxWidth / 2 - 3, 5))[3], 255)
    t.equal((await colourAt(bytes, maxWidth / 2 + 3, 5))[3], 0)
  }
  const zipped = real('logo.svgz')
  if (existsSync(zipped)) {
    const meta = await sharp((await convert(await readFile(zipped), 'svgz', 'png', { maxWidth: 500 })).bytes).metadata()
    t.equal(meta.width, 500)
  }
})
