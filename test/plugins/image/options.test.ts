import sharp from 'sharp'
import t from 'tap'
import { bare } from '../bare.ts'
import { colourAt, likeness, near, pattern, psnr, samples, sizeOf } from './pictures.ts'

const { convert, failure } = await bare(t, ['image'])

const png = await pattern(160, 120).png().toBuffer()
const clear = await pattern(160, 120, 4).png().toBuffer()
const made = async (to: string, options = {}, source = png) => (await convert(source, `png>${to}`, options)).bytes

t.test('quality reduces a png to a palette, and only if given', async (t) => {
  const webp = await sharp(png).webp({ lossless: true }).toBuffer()
  const exact = (await convert(webp, 'webp>png')).bytes
  t.equal(psnr(await samples(exact), await samples(png)), Infinity)
  const few = (await convert(webp, 'webp>png', { quality: 60 })).bytes
  t.ok((await sharp(few).metadata()).isPalette)
  t.ok(few.length < exact.length / 2)
})

t.test('fit', async (t) => {
  const square = { maxWidth: 50, maxHeight: 50 }
  const large = { maxWidth: 400, maxHeight: 350 }
  const cases: readonly [options: object, size: number[]][] = [
    [{ ...square, fit: 'inside' }, [50, 38]],
    [{ ...square, fit: 'outside' }, [67, 50]],
    [{ ...square, fit: 'cover' }, [50, 50]],
    [{ ...square, fit: 'contain' }, [50, 50]],
    [square, [50, 38]],
    [{ ...large, fit: 'inside' }, [160, 120]],
    [{ ...large, fit: 'cover' }, [400, 350]],
    [{ ...large, fit: 'fill' }, [400, 350]],
    // With one side, all act as inside.
    [{ maxHeight: 60, fit: 'cover' }, [80, 60]],
    [{ maxWidth: 80, fit: 'fill' }, [80, 60]],
  ]
  for (const [options, size] of cases)
    t.strictSame(await sizeOf(await made('jpg', options)), size, JSON.stringify(options))
  const bmp = await made('bmp', { maxWidth: 80 })
  t.strictSame(await sizeOf((await convert(bmp, 'bmp>png')).bytes), [80, 60], 'before another encoder')
})

t.test('fit keeps the middle, pads or stretches', async (t) => {
  const box = { maxWidth: 50, maxHeight: 50 }
  const wanted = (fit: 'cover' | 'fill') => sharp(png).resize(50, 50, { fit }).png().toBuffer()
  for (const fit of ['cover', 'fill'] as const)
    t.ok((await likeness(await made('webp', { ...box, fit, lossless: true }), await wanted(fit))) > 40, fit)
  const padded = await made('webp', { ...box, fit: 'contain', lossless: true })
  t.equal((await colourAt(padded, 25, 2))[3], 0, 'contain pads with transparency')
  t.equal((await colourAt(padded, 25, 25))[3], 255)
  for (const source of [png, clear])
    t.ok(
      near(await colourAt(await made('jpg', { ...box, fit: 'contain' }, source), 25, 2), [255, 255, 255]),
      'or white',
    )
})

t.test('transparency becomes white in a jpg, and stays in formats that support it', async (t) => {
  t.ok((await likeness(await made('jpg', { quality: 95 }, clear), clear)) > 30)
  for (const to of ['webp', 'gif', 'apng']) t.ok((await sharp(await made(to, {}, clear)).metadata()).hasAlpha, to)
})

t.test('progressive', async (t) => {
  for (const progressive of [false, true]) {
    t.equal((await sharp(await made('jpg', { progressive })).metadata()).isProgressive, progressive)
    const webp = await sharp(png).webp().toBuffer()
    t.equal(
      (await sharp((await convert(webp, 'webp>png', { progressive })).bytes).metadata()).isProgressive,
      progressive,
    )
  }
})

t.test('lossless keeps all pixels', async (t) => {
  // Debian 12's libheif rounds once between RGB and the planes of HEVC: one step of 255.
  const least: Record<string, number> = { heic: 51 }
  for (const to of ['webp', 'jxl', 'heic', 'jp2'])
    for (const source of to === 'jxl' ? [png, clear] : [clear]) {
      const bytes = await made(to, { lossless: true }, source)
      const back = ['webp', 'avif'].includes(to) ? bytes : (await convert(bytes, `${to}>png`)).bytes
      const ratio = psnr(await samples(back), await samples(source))
      t.ok(ratio >= (least[to] ?? Infinity), `${to}${source === clear ? ' with alpha' : ''}: ${ratio} dB`)
    }
})

t.test('the result is at most targetSizeKb, close to it, and quality is its upper limit', async (t) => {
  for (const [to, targetSizeKb] of Object.entries({ jpg: 5, jxl: 5, jp2: 6 })) {
    const { length } = await made(to, { targetSizeKb })
    t.ok(length <= targetSizeKb * 1000, `${to}: ${length} bytes`)
    t.ok(length > targetSizeKb * 500, `${to}: ${length} bytes, not much less`)
  }
  t.strictSame(await made('jpg', { targetSizeKb: 10_000, quality: 40 }), await made('jpg', { quality: 40 }))
})

t.test('an unreachable size is refused, with the smallest possible size', async (t) => {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const source = await sharp({ create: { width: 600, height: 600, channels: 3, background: '#000', noise } })
    .png()
    .toBuffer()
  for (const to of ['jpg', 'jp2']) {
    const { code, message } = await failure(source, `png>${to}`, { targetSizeKb: 1 })
    t.equal(code, 'CONVERSION_ERROR')
    t.match(message, /targetSizeKb.*smallest possible.* \d+ kB/, to)
  }
})

t.test('long sides: converted, or refused with the limit of the target', async (t) => {
  const strip = (width: number) =>
    sharp({ create: { width, height: 2, channels: 3, background: '#c04020' } })
      .png()
      .toBuffer()
  const bmp = await made('bmp', {}, await strip(20_000))
  t.strictSame(await sizeOf((await convert(bmp, 'bmp>png')).bytes), [20_000, 2])
  const source = await strip(70_000)
  for (const [to, limit] of Object.entries({ psd: 30_000, pict: 32_767, bmp: 65_535, gif: 65_535 })) {
    const message = `70000 × 2 pixels, and ${to} can have at most ${limit} per side`
    t.match(await failure(source, `png>${to}`), { code: 'CONVERSION_ERROR', message }, to)
  }
  t.match(await failure(await strip(20_000), 'png>webp'), { code: 'CONVERSION_ERROR', message: /16383.*maxWidth/ })
})
