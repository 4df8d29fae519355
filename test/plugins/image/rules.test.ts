import t from 'tap'
import { createOptionsValidator } from '../../../kernel/catalogue/options.ts'
import image from '../../../plugins/image/index.ts'

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

t.test('defaults by target', async (t) => {
  const defaults = { jpg: 82, webp: 80, avif: 55, heic: 55, jxl: 85, jp2: 50, png: undefined }
  for (const [to, quality] of Object.entries(defaults))
    t.equal((complete(image, to, 'convert', {}) as { quality?: number }).quality, quality, to)
})

t.test(
  'every pair of what the worker reads and writes has a route, and none is declared without engines',
  async (t) => {
    const pairs = new Set(
      image.routes.flatMap((route) =>
        'from' in route ? route.from.flatMap((a) => route.to.map((b) => `${a}>${b}`)) : [],
      ),
    )
    const written =
      'jpg png apng webp avif heic gif bmp tif ico cur icns jxl jp2 jxr psd tga pcx ppm pgm pbm pam pfm xbm xpm wbmp sgi ras xwd dpx exr hdr dds fits qoi pict miff'
    for (const to of written.split(' ').filter((to) => to !== 'svg')) t.ok(pairs.has(`svg>${to}`), `svg to ${to}`)
    for (const from of 'jpg png webp gif tif avif svg svgz apng'.split(' '))
      t.ok(pairs.has(`${from}>heic`), `${from} to heic`)
    for (const route of image.routes)
      if ('engine' in route && 'uses' in route) t.notOk(route.uses?.includes(route.engine))
  },
)
