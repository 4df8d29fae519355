import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import t from 'tap'
import image from '../../../plugins/image/index.ts'
import { readers } from '../../../plugins/image/readers.ts'
import { heicOfTiles } from '../../fixtures/heic-grid.ts'
import { program } from '../../fixtures/program.ts'
import { colourful, psnr } from './proof.ts'
import { tool, workshop } from './workshop.ts'

if (!existsSync('/usr/bin/bwrap')) t.bailout('bubblewrap is needed')

const reader = readers.find(({ from }) => from.includes('heic'))!

/** Encodes a picture with heif-enc and decodes it with the preferred reader. Paths are the host's. */
async function decoded(picture: Buffer, extension: string, ...args: string[]) {
  const shop = workshop()
  t.teardown(() => shop[Symbol.dispose]())
  const job = shop.job('heic', 'png')
  const source = shop.host(`/scratch/source.${extension}`)
  const heic = shop.host(job.input)
  writeFileSync(source, picture)
  tool('heif-enc', ...args, source, '-o', heic)
  await shop.follow(job, reader.steps)
  const folder = shop.host('/scratch/decoded')
  return { heic, png: `${folder}/${readdirSync(folder)[0]}`, other: shop.host('/scratch/other.png') }
}

t.test('a photograph keeps pixels, profile, EXIF and XMP', async (t) => {
  const xmp =
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></x:xmpmeta>'
  const photo = await sharp(await colourful(120, 80))
    .withIccProfile('p3')
    .withExifMerge({ IFD0: { Make: 'Maker' } })
    .withMetadata({ orientation: 6 })
    .withXmp(xmp)
    .jpeg()
    .toBuffer()
  const { icc } = await sharp(photo).metadata()
  const { heic, png, other } = await decoded(photo, 'jpg')
  const meta = await sharp(png).metadata()
  t.match(meta, { width: 120, height: 80, depth: 'uchar', channels: 3 })
  t.equal(meta.orientation, 1, 'only the rotation of HEIF counts, and libheif has done it')
  t.same(meta.icc, icc)
  t.match(meta.exif?.toString('latin1'), 'Maker')
  t.match(meta.xmpAsString, 'adobe:ns:meta/')
  tool('heif-convert', heic, other)
  t.equal(await psnr(png, other), 99, 'the pixels of another program of libheif')
  t.ok(statSync(png).size > 80 * 120 * 3, 'nothing is compressed')
})

t.test('tiles of a telephone become one picture', async (t) => {
  using shop = workshop()
  const job = shop.job('heic', 'png')
  const [source, other] = [shop.host('/scratch/source.png'), shop.host('/scratch/other.png')]
  writeFileSync(source, await colourful(900, 600))
  await heicOfTiles(source, shop.host(job.input), 90)
  await shop.follow(job, reader.steps)
  const png = shop.host('/scratch/decoded/page.png')
  t.match(await sharp(png).metadata(), { width: 900, height: 600 })
  t.ok((await psnr(png, source)) > 35)
  tool('heif-convert', shop.host(job.input), other)
  t.equal(await psnr(png, other), 99)
})

t.test('samples of 10 bits fill 16 bits, with alpha', async (t) => {
  const white = { width: 64, height: 64, channels: 4, background: { r: 255, g: 255, b: 255, alpha: 0.5 } } as const
  const { png } = await decoded(
    await sharp({ create: white }).toColourspace('rgb16').png().toBuffer(),
    'png',
    '-b',
    '10',
  )
  const { data, info } = await sharp(png)
    .toColourspace('rgb16')
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true })
  t.match(info, { width: 64, height: 64, channels: 4 })
  t.match(await sharp(png).metadata(), { depth: 'ushort', hasAlpha: true })
  const [red, green, blue, alpha] = new Uint16Array(data.buffer, data.byteOffset, 4)
  t.ok(Math.min(red!, green!, blue!) > 65_300, `${red} ${green} ${blue}`)
  t.ok(Math.abs(alpha! - 32_768) < 300, `${alpha}`)
})

t.test('a damaged file is refused', async (t) => {
  const { heic } = await decoded(await colourful(64, 64), 'png')
  using shop = workshop()
  const job = shop.job('heic', 'png')
  writeFileSync(shop.host(job.input), readFileSync(heic).subarray(0, 200))
  await t.rejects(shop.follow(job, reader.steps), { cause: { message: /heif-decode 1: .*meta/ } })
})

t.test('a picture of too many pixels is refused before it is decoded', async (t) => {
  using shop = workshop()
  const job = shop.job('heic', 'png')
  writeFileSync(shop.host('/scratch/source.png'), await colourful(600, 400))
  await heicOfTiles(shop.host('/scratch/source.png'), shop.host(job.input), 50)
  const heic = readFileSync(shop.host(job.input))
  // The first size is that of the tiles, the second that of the whole.
  const size = heic.indexOf('ispe', heic.indexOf('ispe') + 4) + 8
  heic.writeUInt32BE(20_000, size)
  heic.writeUInt32BE(20_000, size + 4)
  writeFileSync(shop.host(job.input), heic)
  await t.rejects(shop.follow(job, reader.steps), { code: 'RESOURCE_LIMIT', message: /268 megapixels/ })
  const decoder = fileURLToPath(new URL('../../../engines/programs/heif/decode.py', import.meta.url))
  const small = program('/usr/bin/python3', decoder, shop.host(job.input), shop.host('/scratch/a.png'), 5_000_000)
  await t.rejects(small, { message: /the limit is 5 megapixels/ })
})

t.test('a photograph is decoded once, and its metadata is not copied once more', async (t) => {
  for (const to of ['jpg', 'png', 'webp', 'avif']) {
    const [first] = image.routes.filter(
      (route) => 'steps' in route && 'from' in route && route.from.includes('heic') && route.to.includes(to),
    )
    const steps = first && 'steps' in first ? first.steps : []
    const names = steps.map(({ engine }) => engine.name)
    t.strictSame(names, ['heif-decode', 'sharp', 'sharp'], `heic to ${to}`)
  }
})
