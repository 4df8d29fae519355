/** Animations, and sources of several pages. */
import sharp from 'sharp'
import t from 'tap'
import { readMembers } from '../../../engines/programs/repack/members.ts'
import { joinTiffs } from '../../../engines/programs/sharp/tiff.ts'
import { program } from '../../fixtures/program.ts'
import { bare } from '../bare.ts'
import { pdf } from './pdf.ts'
import { animatedGif, colourAt, near, pattern, sizeOf } from './pictures.ts'

const { convert, file, folder } = await bare(t, ['image'])

const colours = ['#ff0000', '#00ff00', '#0000ff', '#ffff00']
const rgb = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 0],
]
const delay = [100, 250, 70, 400]
const moving = await animatedGif(colours, delay, 3)

/** The files of a zip by name. */
const unzipped = async (zip: Buffer) => new Map((await readMembers(zip)).map(({ name, content }) => [name, content]))

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

t.test('animations are resized frame by frame, and a still target shows the first frame', async (t) => {
  for (const to of ['webp', 'apng'])
    t.same(await sizeOf((await convert(moving, `gif>${to}`, { maxWidth: 16 })).bytes), [16, 16], to)
  for (const to of ['png', 'tif']) {
    const { bytes, paged } = await convert(moving, `gif>${to}`)
    t.notOk(paged)
    t.ok(near(await colourAt(bytes, 16, 16), rgb[0]!), to)
  }
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
  const pictures = await unzipped(zip.bytes)
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
  const { bytes, paged } = await convert(document, 'pdf>bmp', {}, { name: 'report' })
  t.ok(paged)
  t.same([...(await unzipped(bytes)).keys()], ['report-001.bmp', 'report-002.bmp', 'report-003.bmp'])
  const limited = await convert(document, 'pdf>jpg', { targetSizeKb: 9 })
  t.ok(limited.bytes.length <= 9000, `the zip of ${limited.bytes.length} bytes meets the limit`)
  const box = await convert(document, 'pdf>png', { maxWidth: 600 })
  for (const page of (await unzipped(box.bytes)).values()) t.equal((await sharp(page).metadata()).width, 600)
})

t.test('paper, crop and rotation of a page determine its size', async (t) => {
  const red = [255, 0, 0]
  const blue = [0, 0, 255]
  const pages = pdf([
    { paper: [200, 100] },
    { paper: [200, 100], turn: 90 },
    { paper: [300, 300], crop: [100, 100, 200, 150] },
  ])
  const drawn = async (options = {}) => [...(await unzipped((await convert(pages, 'pdf>png', options)).bytes)).values()]
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
  t.same((await sizes({ maxWidth: 300, maxHeight: 300, fit: 'cover' }))[0], [300, 300])
})
