import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import sharp, { type Metadata } from 'sharp'
import t from 'tap'
import { animatedGif, colourAt, near, pattern, psnr, quarters, samples } from './pictures.ts'
import { real, studio } from './studio.ts'

const { convert, can, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())
const source = pattern(320, 240)
const clear = pattern(320, 240, 4)
const optimise = (bytes: Buffer, format: string, options = {}) =>
  convert(bytes, format, format, options).then(({ bytes }) => bytes)

const formats: Record<string, Buffer> = {
  jpg: await source.clone().jpeg({ quality: 90, optimiseCoding: false }).toBuffer(),
  png: await clear.clone().png({ compressionLevel: 1 }).toBuffer(),
  gif: await animatedGif(['#f00', '#0f0', '#00f'], [100, 200, 300], 2, 64),
  webp: await clear.clone().webp({ lossless: true, exact: true, effort: 0 }).toBuffer(),
  tif: await source.clone().tiff({ compression: 'none' }).toBuffer(),
}

t.test('without options: a smaller file with the same pixels, or the same file', async (t) => {
  for (const [format, bytes] of Object.entries(formats)) {
    const made = await optimise(bytes, format)
    t.ok(made.length < bytes.length, `${format}: ${bytes.length} to ${made.length} bytes`)
    const animated = format === 'gif'
    t.equal(psnr(await samples(made, animated), await samples(bytes, animated)), Infinity, format)
    const again = await optimise(made, format)
    t.ok(again.length <= made.length, `${format} again`)
  }
})

t.test('lossy files have invisible differences', async (t) => {
  for (const format of ['webp', 'avif'] as const) {
    const bytes = await source.clone().toFormat(format, { quality: 98 }).toBuffer()
    const made = await optimise(bytes, format)
    t.ok(made.length <= bytes.length)
    t.ok(
      psnr(await samples(made), await samples(bytes)) > 36,
      `${format}: ${psnr(await samples(made), await samples(bytes))} dB`,
    )
    const small = await source.clone().toFormat(format, { quality: 20 }).toBuffer()
    t.ok((await optimise(small, format)).equals(small), `${format}: a small one comes back as it was`)
  }
  const exact = await source.clone().avif({ lossless: true, quality: 100, effort: 0 }).toBuffer()
  t.equal(psnr(await samples(await optimise(exact, 'avif')), await samples(exact)), Infinity, 'lossless avif stays so')
})

t.test('metadata and profile stay without options', async (t) => {
  const rich = source
    .clone()
    .withIccProfile('p3')
    .withExif({ IFD0: { Artist: 'someone' } })
  for (const format of ['jpg', 'png', 'webp']) {
    const bytes = await rich
      .clone()
      .toFormat(format as 'png', { quality: 97 })
      .toBuffer()
    const { icc, exif } = await sharp(await optimise(bytes, format)).metadata()
    t.ok(icc, `${format} keeps its profile`)
    t.match(exif?.toString('latin1'), /someone/, `${format} keeps EXIF`)
    const stripped = await sharp(await optimise(bytes, format, { stripMetadata: true })).metadata()
    t.ok(stripped.icc, `${format} keeps its profile when stripped`)
    t.notMatch(stripped.exif?.toString('latin1') ?? '', /someone/, `${format} loses EXIF when stripped`)
  }
})

t.test('a jpg without orientation tag is rotated, without loss if its blocks allow it', async (t) => {
  const upright = await (await quarters(64, 32)).raw().toBuffer({ resolveWithObject: true })
  const raw = sharp(upright.data, { raw: { ...upright.info, channels: 3 } })
  for (let orientation = 1; orientation <= 8; orientation++)
    for (const crop of [64, 60]) {
      const picture = raw.clone().resize(crop, 32, { fit: 'cover', position: 'left' })
      const bytes = await picture.withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer()
      const made = await optimise(bytes, 'jpg', { stripMetadata: true })
      const meta = await sharp(made).metadata()
      t.equal(meta.orientation ?? 1, 1)
      const wanted = await sharp(bytes).autoOrient().raw().toBuffer({ resolveWithObject: true })
      t.same([meta.width, meta.height], [wanted.info.width, wanted.info.height])
      const ratio = psnr(await samples(made), wanted.data)
      t.ok(ratio > (crop === 64 ? 40 : 28), `orientation ${orientation}, ${crop} wide: ${ratio} dB`)
    }
})

t.test('options re-encode', async (t) => {
  for (const [format, bytes] of Object.entries(formats)) {
    const made = await optimise(bytes, format, { maxWidth: 32 })
    const meta = await sharp(made).metadata()
    t.equal(meta.width, 32, format)
    if (format === 'gif') t.same([meta.pages, meta.delay, meta.loop], [3, [100, 200, 300], 2])
  }
  const few = await optimise(formats.png!, 'png', { quality: 50 })
  t.ok((await sharp(few).metadata()).isPalette)
  t.ok(few.length < formats.png!.length)
  const low = await optimise(formats.jpg!, 'jpg', { quality: 20 })
  t.ok(low.length < (await optimise(formats.jpg!, 'jpg')).length / 2)
  const limited = await optimise(formats.jpg!, 'jpg', { targetSizeKb: 9 })
  t.ok(limited.length <= 9000 && limited.length > 6000)
  t.ok((await sharp(await optimise(formats.png!, 'png', { progressive: true })).metadata()).isProgressive)
  t.equal((await sharp(await optimise(formats.png!, 'png', { quality: 100 })).metadata()).width, 320)
})

t.test('options without effect on a format change nothing', async (t) => {
  const gif = await optimise(formats.gif!, 'gif')
  t.ok((await optimise(formats.gif!, 'gif', { quality: 10, lossless: true })).equals(gif))
  const small = await source.clone().webp({ quality: 20 }).toBuffer()
  t.ok((await optimise(small, 'webp', { progressive: true })).equals(small))
})

t.test('heic and jxl', async (t) => {
  for (const format of ['heic', 'jxl'].filter((to) => can('png', to))) {
    const bytes = (await convert(await source.clone().png().toBuffer(), 'png', format, { quality: 90 })).bytes
    t.ok((await optimise(bytes, format)).equals(bytes), `${format} comes back as it was`)
    const low = await optimise(bytes, format, { quality: 30 })
    t.ok(low.length < bytes.length)
    const small = await convert(await optimise(bytes, format, { maxWidth: 64 }), format, 'png')
    t.equal((await sharp(small.bytes).metadata()).width, 64)
  }
})

t.test('a damaged file is not returned unchanged', async (t) => {
  for (const [format, bytes] of Object.entries(formats)) {
    const cut = bytes.subarray(0, Math.floor(bytes.length / 2))
    const error = await optimise(cut, format).catch((error) => error)
    t.equal(error.code, 'CONVERSION_ERROR', format)
  }
})

const scan = real('multipage-g3.tif')
t.test('real files', { skip: !existsSync(scan) }, async (t) => {
  for (const name of ['photo.jpg', 'photo.png', 'alpha.png', 'anim.gif', 'anim.webp', 'photo.webp', 'photo.avif']) {
    const bytes = await readFile(real(name))
    const format = name.split('.')[1]!
    const made = await optimise(bytes, format)
    t.ok(made.length <= bytes.length, `${name}: ${bytes.length} to ${made.length} bytes`)
    const [before, after] = await Promise.all([bytes, made].map((file) => sharp(file).metadata()))
    const duration = ({ delay = [] }: Metadata) => delay.reduce((sum, part) => sum + part, 0)
    t.same([duration(after!), after!.width], [duration(before!), before!.width], 'equal frames may have become one')
  }
  const tif = await readFile(scan)
  const made = await optimise(tif, 'tif')
  t.ok(made.length <= tif.length, `scan: ${tif.length} to ${made.length} bytes`)
  t.equal((await sharp(made).metadata()).pages, (await sharp(tif).metadata()).pages)
  t.ok(near(await colourAt(made, 100, 100), await colourAt(tif, 100, 100), 0))
})
