import sharp from 'sharp'
import t from 'tap'
import { stepsOf } from '../../../kernel/catalogue/manifest/route.ts'
import { optimisations } from '../../../plugins/image/optimise.ts'
import { commandLines } from '../../harness/command-lines.ts'
import { bare } from '../bare.ts'
import { animatedGif, pattern, psnr, quarters, samples } from './pictures.ts'

const { convert, failure } = await bare(t, ['image'])

const source = pattern(160, 120)
const optimise = async (bytes: Buffer, format: string, options = {}) =>
  (await convert(bytes, `${format}>${format}`, options)).bytes

const formats: Record<string, Buffer> = {
  jpg: await source.clone().jpeg({ quality: 90, optimiseCoding: false }).toBuffer(),
  png: await pattern(160, 120, 4).png({ compressionLevel: 1 }).toBuffer(),
  gif: await animatedGif(['#f00', '#0f0', '#00f'], [100, 200, 300], 2, 64),
  webp: await pattern(160, 120, 4).webp({ lossless: true, exact: true, effort: 0 }).toBuffer(),
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

t.test('metadata and profile stay without options', async (t) => {
  const rich = source
    .clone()
    .withIccProfile('p3')
    .withExif({ IFD0: { Artist: 'someone' } })
  for (const format of ['jpg', 'png'] as const) {
    const bytes = await rich
      .clone()
      .toFormat(format as 'png', { quality: 97 })
      .toBuffer()
    for (const stripMetadata of [false, true]) {
      const { icc, exif } = await sharp(await optimise(bytes, format, { stripMetadata })).metadata()
      t.ok(icc, `${format} keeps its profile`)
      t.equal(exif?.includes('someone') ?? false, !stripMetadata, `${format}: EXIF, stripped ${stripMetadata}`)
    }
  }
})

t.test('a jpg without orientation tag is rotated, without loss if its blocks allow it', async (t) => {
  const upright = await (await quarters(64, 32)).raw().toBuffer({ resolveWithObject: true })
  const raw = sharp(upright.data, { raw: { ...upright.info, channels: 3 } })
  for (const crop of [64, 60])
    for (const orientation of crop === 64 ? [2, 5, 8] : [6]) {
      const picture = raw.clone().resize(crop, 32, { fit: 'cover', position: 'left' })
      const bytes = await picture.withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer()
      const made = await optimise(bytes, 'jpg', { stripMetadata: true })
      t.equal((await sharp(made).metadata()).orientation ?? 1, 1)
      const ratio = psnr(await samples(made), await sharp(bytes).autoOrient().raw().toBuffer())
      t.ok(ratio > (crop === 64 ? 40 : 28), `orientation ${orientation}, ${crop} wide: ${ratio} dB`)
    }
})

t.test('options re-encode', async (t) => {
  for (const [format, bytes] of Object.entries(formats)) {
    const meta = await sharp(await optimise(bytes, format, { maxWidth: 32 })).metadata()
    t.equal(meta.width, 32, format)
    if (format === 'gif') t.same([meta.pages, meta.delay, meta.loop], [3, [100, 200, 300], 2])
  }
  const few = await optimise(formats.png!, 'png', { quality: 50 })
  t.ok((await sharp(few).metadata()).isPalette)
  t.ok(few.length < formats.png!.length)
  t.ok((await optimise(formats.jpg!, 'jpg', { quality: 20 })).length < formats.jpg!.length / 2)
  const limited = await optimise(formats.jpg!, 'jpg', { targetSizeKb: 4 })
  t.ok(limited.length <= 4000 && limited.length > 2500)
  t.ok((await sharp(await optimise(formats.png!, 'png', { progressive: true })).metadata()).isProgressive)
})

t.test('a damaged file is not returned unchanged', async (t) => {
  for (const [format, bytes] of Object.entries(formats)) {
    const half = bytes.subarray(0, Math.floor(bytes.length / 2))
    t.equal((await failure(half, `${format}>${format}`)).code, 'CONVERSION_ERROR', format)
  }
})

t.test('how each program is called', async (t) => {
  const route = (format: string) => optimisations.find((one) => 'transform' in one && one.transform.includes(format))!
  /** Runs of other programs than sharp, and its encodings. */
  const runs = async (format: string, options: object, seen: object, answers = {}) => {
    const look = { look: { moving: false, orientation: 1, space: 'srgb', depth: 'uchar', ...seen } }
    const job = { from: format, to: format, options }
    const lines = await commandLines(stepsOf(route(format) as never), job, { sharp: JSON.stringify(look), ...answers })
    return lines.flatMap((line) => {
      const { task, encoding = {} } = line.startsWith('sharp ') ? JSON.parse(line.slice(6)) : {}
      return task === undefined ? line : task === 'convert' ? `sharp ${JSON.stringify(encoding)}` : []
    })
  }
  const turn = 'jpegtran -optimize -progressive -copy icc -perfect'
  const refused = Object.assign(new Error('refused'), { code: 'CONVERSION_ERROR' })
  const cases: readonly [format: string, options: object, seen: object, runs: string[], answers?: object][] = [
    ['jpg', {}, {}, ['jpegtran -optimize -progressive -copy all']],
    ['jpg', { stripMetadata: true }, {}, ['jpegtran -optimize -progressive -copy icc']],
    ['jpg', { quality: 50 }, { orientation: 6 }, ['sharp {"quality":50}']],
    ['jpg', { stripMetadata: true }, { orientation: 2 }, [`${turn} -flip horizontal`]],
    [
      'jpg',
      { stripMetadata: true },
      { orientation: 8 },
      [`${turn} -rotate 270`, 'sharp {"quality":95}'],
      { jpegtran: refused },
    ],
    ['png', {}, {}, ['optipng -o2']],
    ['png', { progressive: true }, {}, ['sharp {"progressive":true}', 'optipng -o2 -i1']],
    ['png', {}, { moving: true }, []],
    ['gif', {}, {}, ['gifsicle -O3']],
    [
      ...(['gif', { progressive: true, stripMetadata: true }, {}] as const),
      ['gifsicle -O3 --interlace --no-comments --no-names --no-extensions'],
    ],
    ['webp', {}, {}, ['sharp {"quality":85}']],
    ['webp', {}, { lossless: true }, ['sharp {"quality":80,"lossless":true}']],
    ['avif', {}, {}, ['sharp {"quality":75}']],
    ['tif', {}, { space: 'cmyk' }, []],
    ['tif', {}, { foreign: true, space: 'b-w' }, []],
  ]
  for (const [format, options, seen, wanted, answers] of cases)
    t.strictSame(await runs(format, options, seen, answers), wanted, `${format} ${JSON.stringify([options, seen])}`)
})
