/** Animations, and sources of several pages. */
import { inflateRawSync } from 'node:zlib'
import sharp from 'sharp'
import t from 'tap'
import { joinTiffs } from '../../../engines/programs/sharp/tiff.ts'
import { program } from '../../fixtures/program.ts'
import { studio } from '../../harness/studio.ts'
import { pdf } from './pdf.ts'
import { animatedGif, colourAt, near, pattern, psnr, samples, sizeOf } from './pictures.ts'

const { convert, file, folder, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())
t.setTimeout(30 * 60_000)

const colours = ['#ff0000', '#00ff00', '#0000ff', '#ffff00']
const rgb = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 0],
]
const delay = [100, 250, 70, 400]
const moving = await animatedGif(colours, delay, 3)

/** Lists the files of a zip, from its central directory (APPNOTE 4.3.12). */
function unzipped(zip: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  const end = zip.lastIndexOf('PK\x05\x06')
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const short = (place: number) => zip.readUInt16LE(at + place)
    const method = short(10)
    const name = short(28)
    const others = short(30) + short(32)
    const local = zip.readUInt32LE(at + 42)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const data = zip.subarray(start, start + zip.readUInt32LE(at + 20))
    files.set(zip.toString('utf8', at + 46, at + 46 + name), method === 8 ? inflateRawSync(data) : data)
    at += 46 + name + others
  }
  return files
}

/** Milliseconds of each frame, by ffprobe. */
async function durations(bytes: Buffer, extension: string): Promise<number[]> {
  const what = ['-select_streams', 'v:0', '-of', 'csv=p=0', '-show_entries', 'packet=duration_time']
  const printed = await program('ffprobe', '-v', 'error', ...what, await file(`moving.${extension}`, bytes))
  return (printed.toString().match(/[\d.]+/g) ?? []).map((seconds) => Math.round(Number(seconds) * 1000))
}

t.test('animations keep their delays, loop and colours', async (t) => {
  const sources = new Map([['gif', moving]])
  sources.set('webp', (await convert(moving, 'gif>webp', { lossless: true })).bytes)
  sources.set('apng', (await convert(moving, 'gif>apng')).bytes)
  for (const [from, source] of sources)
    for (const to of ['gif', 'webp'].filter((to) => to !== from)) {
      const { bytes } = await convert(source, `${from}>${to}`)
      const meta = await sharp(bytes).metadata()
      t.same([meta.pages, meta.delay, meta.loop], [4, delay, 3], `${from} to ${to}`)
      for (const [page, colour] of rgb.entries())
        t.ok(near(await colourAt(bytes, 16, 16, page), colour, 30), `frame ${page}`)
    }
  const apng = sources.get('apng')!
  t.same([apng.readUInt32BE(apng.indexOf('acTL') + 4), apng.readUInt32BE(apng.indexOf('acTL') + 8)], [4, 3])
  t.same(await durations(apng, 'apng'), delay)
  t.ok(near(await colourAt(apng, 3, 3), rgb[0]!), 'a reader of still pictures sees the first frame')
})

t.test('a still picture becomes an apng of one frame', async (t) => {
  const png = await pattern(40, 30, 4).png().toBuffer()
  const { bytes } = await convert(png, 'png>apng')
  t.equal(bytes.readUInt32BE(bytes.indexOf('acTL') + 4), 1)
  t.equal(psnr(await samples(bytes), await samples(png)), Infinity)
  const { width, height, pages = 1 } = await sharp((await convert(bytes, 'apng>gif')).bytes).metadata()
  t.same([width, height, pages], [40, 30, 1])
})

t.test('avif sequences', async (t) => {
  const { bytes } = await convert(moving, 'gif>avif', { lossless: true })
  t.equal(bytes.toString('latin1', 8, 12), 'avis')
  t.same(await durations(bytes, 'avif'), delay)
  const back = (await convert(bytes, 'avif>webp', { lossless: true })).bytes
  t.same((await sharp(back).metadata()).delay, delay)
  for (const [page, colour] of rgb.entries()) t.ok(near(await colourAt(back, 16, 16, page), colour, 0), `frame ${page}`)
  t.ok((await convert(bytes, 'avif>avif')).bytes.equals(bytes), 'nothing to gain without options')
  const half = (await convert(bytes, 'avif>avif', { maxWidth: 16, targetSizeKb: 2 })).bytes
  t.same(await durations(half, 'avif'), delay)
  t.ok(half.length <= 2000)
  t.equal(half.readUInt32BE(half.indexOf('ispe') + 8), 16)
  const still = (await convert(bytes, 'avif>png')).bytes
  t.ok(near(await colourAt(still, 16, 16), rgb[0]!, 20), 'a still target gets the first frame')
})

t.test('animations are resized frame by frame, and a still target shows the first frame', async (t) => {
  for (const to of ['webp', 'apng'])
    t.same(await sizeOf((await convert(moving, `gif>${to}`, { maxWidth: 16 })).bytes), [16, 16], to)
  const cover = (await convert(moving, 'gif>webp', { maxWidth: 20, maxHeight: 10, fit: 'cover' })).bytes
  t.same([...(await sizeOf(cover)), (await sharp(cover).metadata()).pages], [20, 10, 4])
  for (const to of ['png', 'tif']) {
    const { bytes, paged } = await convert(moving, `gif>${to}`)
    t.notOk(paged)
    t.ok(near(await colourAt(bytes, 16, 16), rgb[0]!), to)
  }
  const { bytes } = await convert(moving, 'gif>bmp')
  t.ok(near(await colourAt((await convert(bytes, 'bmp>png')).bytes, 16, 16), rgb[0]!), 'bmp')
})

t.test('pages of different sizes and kinds in one tif', async (t) => {
  const kinds = [pattern(40, 30).tiff(), pattern(20, 50, 1).toColourspace('b-w').tiff({ compression: 'lzw' })]
  const files = await Promise.all(kinds.map(async (kind, at) => file(`${at}.tif`, await kind.toBuffer())))
  await joinTiffs(files, `${folder}/all.tif`)
  const source = await sharp(`${folder}/all.tif`, { pages: 1 })
    .toBuffer()
    .then(() => `${folder}/all.tif`)
  const page = (of: string | Buffer, page: number) => sharp(of, { page }).raw().toBuffer()
  const again = (await convert(source, 'tif>tif', { progressive: true })).bytes
  t.equal((await sharp(again).metadata()).pages, 2)
  const zip = await convert(source, 'tif>png', {}, { name: '..\\..\\scan' })
  t.ok(zip.paged)
  const pictures = unzipped(zip.bytes)
  t.same([...pictures.keys()], ['.._.._scan-001.png', '.._.._scan-002.png'], 'a name cannot leave its folder')
  for (const [index, picture] of [...pictures.values()].entries()) {
    t.ok((await page(again, index)).equals(await page(source, index)), `page ${index + 1} of the tif`)
    t.ok((await page(picture, 0)).equals(await page(source, index)), `page ${index + 1} of the zip`)
  }
})

/** Three pages that are 1, 2 and 3 inches wide. */
const document = pdf([1, 2, 3].map((inches) => ({ paper: [72 * inches, 72] })))

t.test('many pages of a document', async (t) => {
  const tif = await convert(document, 'pdf>tif')
  t.notOk(tif.paged)
  const widths = [0, 1, 2].map(async (page) => (await sharp(tif.bytes, { page }).metadata()).width)
  t.same(await Promise.all(widths), [150, 300, 450], 'at 150 dpi, each of its own size')
  for (const to of ['jpg', 'bmp']) {
    const { bytes, paged } = await convert(document, `pdf>${to}`, {}, { name: 'report' })
    t.ok(paged)
    t.same(
      [...unzipped(bytes).keys()],
      [1, 2, 3].map((page) => `report-00${page}.${to}`),
    )
  }
  const limited = await convert(document, 'pdf>jpg', { targetSizeKb: 9 })
  t.ok(limited.bytes.length <= 9000, `the zip of ${limited.bytes.length} bytes meets the limit`)
  const box = await convert(document, 'pdf>png', { maxWidth: 600 })
  for (const page of unzipped(box.bytes).values()) t.equal((await sharp(page).metadata()).width, 600)
})

t.test('a single page becomes a file, not a zip, and a smaller copy inside a tif is not a page', async (t) => {
  const pyramid = await pattern(512, 512).tiff({ tile: true, tileWidth: 64, tileHeight: 64, pyramid: true }).toBuffer()
  t.ok((await sharp(pyramid).metadata()).pages! > 1)
  const { bytes, paged } = await convert(pyramid, 'tif>png')
  t.notOk(paged)
  t.equal(psnr(await samples(bytes), await samples(pyramid)), Infinity)
})

t.test('paper, crop and rotation of a page determine its size', async (t) => {
  const red = [255, 0, 0]
  const blue = [0, 0, 255]
  const pages = pdf([
    { paper: [200, 100] },
    { paper: [200, 100], turn: 90 },
    { paper: [300, 300], crop: [100, 100, 200, 150] },
  ])
  const drawn = async (options = {}) => [...unzipped((await convert(pages, 'pdf>png', options)).bytes).values()]
  const sizes = async (options = {}) => Promise.all((await drawn(options)).map(sizeOf))
  const [plain, turned, cropped] = (await drawn()) as [Buffer, Buffer, Buffer]
  t.same(await Promise.all([plain, turned, cropped].map(sizeOf)), [
    [417, 209],
    [209, 417],
    [209, 105],
  ])
  t.ok(near(await colourAt(plain, 3, 3), red))
  t.ok(near(await colourAt(turned, 205, 3), red), 'turned clockwise')
  t.ok(near(await colourAt(cropped, 3, 3), red))
  t.ok(near(await colourAt(cropped, 205, 101), blue))
  t.same(await sizes({ maxWidth: 1000, maxHeight: 1000 }), [
    [1000, 500],
    [500, 1000],
    [1000, 500],
  ])
  t.same((await sizes({ maxHeight: 333 }))[0], [666, 333])
  t.same((await sizes({ maxWidth: 300, maxHeight: 300, fit: 'cover' }))[0], [300, 300])
})

t.test('pages pass from poppler to sharp without compression, and look as by poppler alone', async (t) => {
  const path = await file('page.pdf', pdf([{ paper: [300, 200], crop: [10, 20, 200, 120], turn: 90 }]))
  await program('pdftoppm', '-png', '-cropbox', '-r', 150, '-singlefile', path, `${folder}/bare`)
  const seen = async (picture: string | Buffer) => {
    const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true })
    const { density, hasAlpha, space } = await sharp(picture).metadata()
    return { data, width: info.width, height: info.height, channels: info.channels, density, hasAlpha, space }
  }
  t.strictSame(await seen((await convert(path, 'pdf>png')).bytes), await seen(`${folder}/bare.png`))
})
