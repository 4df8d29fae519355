import sharp from 'sharp'
import t from 'tap'
import { studio } from '../../harness/studio.ts'
import { colourAt, likeness, near, pattern, psnr, samples, sizeOf } from './pictures.ts'

const { convert, failure, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())
t.setTimeout(30 * 60_000)

const png = await pattern(160, 120).png().toBuffer()
const clear = await pattern(160, 120, 4).png().toBuffer()
const made = async (to: string, options = {}, source = png) => (await convert(source, `png>${to}`, options)).bytes

t.test('quality affects size', async (t) => {
  for (const to of ['jpg', 'webp', 'avif']) {
    const sizes = [await made(to, { quality: 10 }), await made(to), await made(to, { quality: 95 })]
    const [low, usual, high] = sizes.map(({ length }) => length) as [number, number, number]
    t.ok(low < usual && usual < high, `${to}: ${low}, ${usual} and ${high} bytes`)
  }
})

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
    [{ ...square, fit: 'fill' }, [50, 50]],
    [square, [50, 38]],
    [{ ...large, fit: 'inside' }, [160, 120]],
    [{ ...large, fit: 'outside' }, [160, 120]],
    [{ ...large, fit: 'cover' }, [400, 350]],
    [{ ...large, fit: 'fill' }, [400, 350]],
    // With one side, all act as inside.
    [{ maxHeight: 60, fit: 'cover' }, [80, 60]],
    [{ maxHeight: 60, fit: 'contain' }, [80, 60]],
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
  for (const to of ['webp', 'avif', 'tif', 'gif', 'apng'])
    t.ok((await sharp(await made(to, {}, clear)).metadata()).hasAlpha, to)
})

t.test('progressive', async (t) => {
  for (const progressive of [false, true]) {
    t.equal((await sharp(await made('jpg', { progressive })).metadata()).isProgressive, progressive)
    t.equal(interlaced(await made('gif', { progressive })), progressive)
    const webp = await sharp(png).webp().toBuffer()
    t.equal(
      (await sharp((await convert(webp, 'webp>png', { progressive })).bytes).metadata()).isProgressive,
      progressive,
    )
  }
})

/** The interlace flag of the first image descriptor, after header, global palette and extensions. */
function interlaced(gif: Buffer): boolean {
  let at = 13 + (gif[10]! & 0x80 ? 3 * 2 ** ((gif[10]! & 7) + 1) : 0)
  while (gif[at] === 0x21) {
    at += 2
    while (gif[at] !== 0) at += gif[at]! + 1
    at++
  }
  return gif[at] === 0x2c && (gif[at + 9]! & 0x40) !== 0
}

t.test('lossless keeps all pixels', async (t) => {
  // Debian 12's libheif rounds once between RGB and the planes of HEVC: one step of 255.
  const least: Record<string, number> = { heic: 51 }
  for (const to of ['webp', 'avif', 'jxl', 'heic', 'jp2'])
    for (const source of [png, clear]) {
      const bytes = await made(to, { lossless: true }, source)
      const back = ['webp', 'avif'].includes(to) ? bytes : (await convert(bytes, `${to}>png`)).bytes
      const ratio = psnr(await samples(back), await samples(source))
      t.ok(ratio >= (least[to] ?? Infinity), `${to}${source === clear ? ' with alpha' : ''}: ${ratio} dB`)
    }
})

t.test('the result is at most targetSizeKb, close to it, and quality is its upper limit', async (t) => {
  for (const [to, targetSizeKb] of Object.entries({ jpg: 5, webp: 4, avif: 4, jxl: 5, jp2: 6 })) {
    const { length } = await made(to, { targetSizeKb })
    t.ok(length <= targetSizeKb * 1000, `${to}: ${length} bytes`)
    t.ok(length > targetSizeKb * 500, `${to}: ${length} bytes, not much less`)
  }
  t.strictSame(await made('jpg', { targetSizeKb: 10_000, quality: 40 }), await made('jpg', { quality: 40 }))
  t.strictSame(await made('jp2', { targetSizeKb: 10_000, quality: 40 }), await made('jp2', { quality: 40 }))
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
