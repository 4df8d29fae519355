import { writeFileSync } from 'node:fs'
import sharp from 'sharp'
import t from 'tap'
import { studio } from './studio.ts'
import { tool, workshop } from './workshop.ts'

const { convert, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())

const picture = sharp({ create: { width: 30, height: 20, channels: 3, background: '#246' } })

/** Pixels per inch across and down, by exiftool; `metres` where the format counts by the metre. */
function dots(bytes: Buffer, format: string, metres: boolean) {
  using shop = workshop()
  const file = shop.host(`/scratch/it.${format}`)
  writeFileSync(file, bytes)
  const tags = { png: ['PixelsPerUnitX', 'PixelsPerUnitY'], bmp: ['PixelsPerMeterX', 'PixelsPerMeterY'] }[format]
  const args = (tags ?? ['XResolution', 'YResolution']).map((tag) => `-${tag}`)
  const told = tool('exiftool', '-n', '-s3', ...args, file).toString()
  return told
    .trim()
    .split('\n')
    .map((line) => Math.round(Number(line) * (metres ? 0.0254 : 1)))
}

t.test('the resolution stays, in both directions', async (t) => {
  const tif = await picture
    .clone()
    .tiff({ compression: 'lzw', xres: 300 / 25.4, yres: 150 / 25.4 })
    .toBuffer()
  for (const to of ['png', 'jpg', 'bmp', 'psd'])
    t.strictSame(dots((await convert(tif, 'tif', to)).bytes, to, to === 'png' || to === 'bmp'), [300, 150], to)
  const png = (await convert(tif, 'tif', 'png')).bytes
  t.strictSame(dots((await convert(png, 'png', 'tif')).bytes, 'tif', false), [300, 150], 'tif')
})

t.test('a picture that is turned turns its resolution', async (t) => {
  const turned = await picture
    .clone()
    .withMetadata({ orientation: 6 })
    .tiff({ compression: 'lzw', xres: 300 / 25.4, yres: 150 / 25.4 })
    .toBuffer()
  t.strictSame(dots((await convert(turned, 'tif', 'jpg')).bytes, 'jpg', false), [150, 300])
})

t.test('a TIFF must tell one', async (t) => {
  const { bytes } = await convert(await picture.clone().gif().toBuffer(), 'gif', 'tif')
  t.strictSame(dots(bytes, 'tif', false), [96, 96])
})

t.test('formats that must tell one say 96 dpi', async (t) => {
  for (const to of ['bmp', 'psd'])
    t.strictSame(
      dots((await convert(await picture.clone().webp().toBuffer(), 'webp', to)).bytes, to, to === 'bmp'),
      [96, 96],
      to,
    )
})

t.test('a drawing has its physical size in CSS units', async (t) => {
  const drawing = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="48mm" height="24mm"><rect width="9" height="9"/></svg>',
  )
  for (const to of ['png', 'jpg', 'tif', 'bmp', 'psd'])
    t.strictSame(dots((await convert(drawing, 'svg', to)).bytes, to, to === 'png' || to === 'bmp'), [150, 150], to)
  const { bytes } = await convert(drawing, 'svg', 'png', { maxWidth: 567 })
  t.strictSame(dots(bytes, 'png', true), [300, 300], 'in a box')
})
