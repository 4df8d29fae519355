/** Which options go with which targets, and what routes declare. Starts no program. */
import t from 'tap'
import { isDirect } from '../../../kernel/catalogue/manifest/route.ts'
import { createOptionsValidator } from '../../../kernel/catalogue/options.ts'
import type { Condition } from '../../../kernel/contract.ts'
import image from '../../../plugins/image/index.ts'
import { routeLines } from '../../harness/command-lines.ts'

const { check, complete } = createOptionsValidator([image])
const verdict = (to: string, options: Record<string, unknown>) => {
  try {
    check(image, to, options)
    return 'accepted'
  } catch (error) {
    return `${(error as { code: string }).code} ${(error as Error).message}`
  }
}

t.test('targetSizeKb is for lossy targets', async (t) => {
  for (const to of ['jpg', 'webp', 'avif', 'heic', 'jxl', 'jp2'])
    t.equal(verdict(to, { targetSizeKb: 5 }), 'accepted', to)
  for (const to of ['png', 'apng', 'gif', 'tif', 'bmp', 'jxr', 'ico', 'psd'])
    t.match(verdict(to, { targetSizeKb: 5 }), /^INVALID_OPTIONS options\.targetSizeKb .*jpg/, to)
})

t.test('lossless excludes quality and targetSizeKb, and jpg', async (t) => {
  for (const to of ['webp', 'avif', 'jxl', 'heic', 'jp2']) {
    t.equal(verdict(to, { lossless: true }), 'accepted')
    t.match(verdict(to, { lossless: true, quality: 80 }), /^INVALID_OPTIONS .*quality/)
    t.match(verdict(to, { lossless: true, targetSizeKb: 80 }), /^INVALID_OPTIONS .*targetSizeKb/)
    t.equal(verdict(to, { lossless: false, quality: 80 }), 'accepted')
  }
  t.match(verdict('jpg', { lossless: true }), /^INVALID_OPTIONS .*lossless/)
  t.equal(verdict('jpg', { lossless: false }), 'accepted')
})

t.test('bounds', async (t) => {
  for (const [name, least, max] of [
    ['quality', 1, 100],
    ['maxWidth', 1, 16_384],
    ['maxHeight', 1, 16_384],
    ['targetSizeKb', 1, 102_400],
  ] as const) {
    for (const fine of [least, max]) t.equal(verdict('jpg', { [name]: fine }), 'accepted', `${name} ${fine}`)
    for (const wrong of [least - 1, max + 1])
      t.match(verdict('jpg', { [name]: wrong }), `INVALID_OPTIONS options.${name}`, `${name} ${wrong}`)
  }
  t.match(verdict('jpg', { fit: 'crop' }), 'INVALID_OPTIONS options.fit')
})

t.test('defaults by target', async (t) => {
  const defaults = { jpg: 82, webp: 80, avif: 55, heic: 55, jxl: 85, jp2: 50, png: undefined }
  for (const [to, quality] of Object.entries(defaults)) {
    const { quality: given, ...others } = complete(image, to, 'convert', {}) as { quality?: number }
    t.equal(given, quality, to)
    t.match(others, { fit: 'inside', progressive: false, stripMetadata: false, lossless: false })
  }
})

const direct = image.routes.filter(isDirect)
const steps = direct.flatMap((route) => ('steps' in route ? route.steps : []))

t.test('every target has a route from the sources that most people have', async (t) => {
  const pairs = new Set(
    image.routes.flatMap((it) => ('from' in it ? it.from.flatMap((a) => it.to.map((b) => a + b)) : [])),
  )
  const written =
    'jpg png apng webp avif heic gif bmp tif ico cur icns jxl jp2 jxr psd tga pcx ppm pgm pbm pam pfm xbm xpm wbmp sgi ras xwd dpx exr hdr dds fits qoi pict miff'
  for (const to of written.split(' ')) t.ok(pairs.has(`svg${to}`), `svg to ${to}`)
  for (const from of 'jpg png webp gif tif avif svg svgz apng'.split(' '))
    t.ok(pairs.has(`${from}heic`), `${from} to heic`)
})

t.test('every route that is not a detour consists of steps', async (t) => {
  t.ok(direct.length > 700)
  t.strictSame(
    direct.filter((route) => !('steps' in route)),
    [],
  )
})

/** Whether a step runs only with a target size. */
const aims = ({ not }: Condition = {}) => not?.options !== undefined && 'targetSizeKb' in not.options

t.test(
  'steps decide only how large a result is, how pages are rendered, and how many frames are decoded',
  async (t) => {
    const deciding = steps.filter((step) => 'convert' in step)
    const names = (some: typeof steps) => [...new Set(some.map(({ engine }) => engine.name))].toSorted()
    t.strictSame(names(deciding.filter(({ when }) => !aims(when))), ['ffprobe', 'pdftocairo', 'pdftoppm'])
    t.strictSame(names(deciding.filter(({ when }) => aims(when))), ['cjxl', 'ffmpeg', 'heif-enc', 'opj_compress'])
  },
)

t.test('a photograph is decoded once, and its metadata is not copied once more', async (t) => {
  for (const to of ['jpg', 'png', 'webp', 'avif']) {
    const route = direct.find((route) => 'from' in route && route.from.includes('heic') && route.to.includes(to))
    const names = (route && 'steps' in route ? route.steps : []).map(({ engine }) => engine.name)
    t.strictSame(names, ['heif-decode', 'sharp', 'sharp'], `heic to ${to}`)
  }
})

t.test('the heavy lane', async (t) => {
  const heavy = (to: string, size: number) => image.heavy({ from: 'png', to, intent: 'convert', size, options: {} })
  t.strictSame([heavy('jpg', 60_000_000), heavy('jpg', 60_000_001)], [false, true])
  t.strictSame([heavy('avif', 8_000_000), heavy('avif', 8_000_001)], [false, true])
})

t.test('exiftool copies what describes a picture, where a reader, sharp or a writer loses it', async (t) => {
  const copies = async (pair: string, exif: string, options = {}) => {
    const size = { width: 9, height: 9, alpha: false }
    const sharp = JSON.stringify({ pages: [{ ...size, exif, source: size }] })
    const [first] = await routeLines(image, pair, options, { sharp })
    return /exiftool -q .*-TagsFromFile \/in\/file/.test(first!)
  }
  for (const [pair, exif, expected, options] of [
    ['png>psd', 'found', true],
    ['png>psd', 'unknown', true],
    ['png>psd', 'none', false],
    ['png>psd', 'found', false, { stripMetadata: true }],
    ['jp2>psd', 'none', true],
    ['jp2>png', 'none', true],
    ['jp2>png', 'found', false],
    ['heic>jpg', 'none', false],
    ['tif>png', 'unknown', true],
    ['tif>png', 'found', false],
    ['png>jpg', 'unknown', false],
    ['png>bmp', 'found', false],
  ] as const)
    t.equal(await copies(pair, exif, options), expected, `${pair} ${exif} ${JSON.stringify(options ?? {})}`)
})
