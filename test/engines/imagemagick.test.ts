import { existsSync, writeFileSync } from 'node:fs'
import sharp from 'sharp'
import t from 'tap'
import { coded, imagemagick } from '../../engines/imagemagick.ts'
import { executable, workshop } from '../plugins/image/workshop.ts'

if (!executable(imagemagick)) t.bailout('ImageMagick is needed')

t.equal(coded('tga', '/in/a'), 'TGA:/in/a')
t.equal(coded('ras', '/in/a'), 'SUN:/in/a')

/** Converts a file to PNG. */
async function convert(source: string, content: string | Buffer = '') {
  using shop = workshop()
  writeFileSync(shop.host('/in/a'), content)
  const run = shop.runner(shop.job('x', 'png'))
  await run(imagemagick, [source, 'PNG:/out/b'])
  return existsSync(shop.host('/out/b'))
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'

t.test('the policy', async (t) => {
  const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  t.ok(await convert('PNG:/in/a', png), 'lets pictures through')
  for (const [source, content] of [
    ['SVG:/in/a', svg],
    ['MSVG:/in/a', svg],
    ['MVG:/in/a', 'viewbox 0 0 9 9 image over 0,0 0,0 "/etc/passwd"'],
    ['MSL:/in/a', '<image><read filename="/etc/passwd"/></image>'],
    ['TEXT:/in/a', 'text'],
    ['PS:/in/a', '%!PS\nshowpage'],
    ['PDF:/in/a', '%PDF-1.4'],
    ['URL:/in/a', 'http://localhost/'],
    ['HTTP://localhost/', ''],
    ['LABEL:@/etc/passwd', ''],
    ['CAPTION:text', ''],
    ['EPHEMERAL:/in/a', png],
    ['GRADIENT:red-blue', ''],
    ['PNG:@/in/a', '/etc/hostname'],
    ['|id', ''],
  ] as const)
    await t.rejects(
      convert(source, content),
      { message: /not ?(allowed|authorized)|policy|no decode delegate/i },
      source,
    )
})

t.test('too many pixels', async (t) => {
  const head = Buffer.from('P5 16385 1 255\n')
  await t.rejects(convert('PGM:/in/a', Buffer.concat([head, Buffer.alloc(16_385)])), { code: 'RESOURCE_LIMIT' })
})
