import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import sharp from 'sharp'
import t from 'tap'
import { animatedGif, colourAt, near, pattern, psnr, samples } from './pictures.ts'
import { real, studio } from './studio.ts'

const { convert, can, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())
const colours = ['#ff0000', '#00ff00', '#0000ff', '#ffff00']
const rgb = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 0],
]
const delay = [100, 250, 70, 400]
const moving = await animatedGif(colours, delay, 3)

/** Runs a program on a file and returns its output. */
async function told(bytes: Buffer, extension: string, program: string, ...args: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'told-'))
  try {
    const file = join(folder, `file.${extension}`)
    await writeFile(file, bytes)
    return execFileSync(program, [...args, file], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Lists the files of a zip, from its central directory (APPNOTE 4.3.12). */
function unzipped(zip: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  const end = zip.lastIndexOf('PK\x05\x06')
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [method, size, name, extra, comment] = [10, 20, 28, 30, 32].map((place, i) =>
      i === 1 ? zip.readUInt32LE(at + place) : zip.readUInt16LE(at + place),
    ) as [number, number, number, number, number]
    const local = zip.readUInt32LE(at + 42)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const data = zip.subarray(start, start + size)
    files.set(zip.toString('utf8', at + 46, at + 46 + name), method === 8 ? inflateRawSync(data) : data)
    at += 46 + name + extra + comment
  }
  return files
}

const durations = async (bytes: Buffer, extension: string) =>
  (
    await told(
      bytes,
      extension,
      'ffprobe',
      '-v',
      'error',
      '-select_streams',
      'v:0',
      '-of',
      'csv=p=0',
      '-show_entries',
      'packet=duration_time',
    )
  )
    .split('\n')
    .filter(Boolean)
    .map((seconds) => Math.round(Number.parseFloat(seconds) * 1000))

t.test('animations keep their delays, loop and colours', async (t) => {
  const sources = new Map([['gif', moving]])
  sources.set('webp', (await convert(moving, 'gif', 'webp', { lossless: true })).bytes)
  sources.set('apng', (await convert(moving, 'gif', 'apng')).bytes)
  for (const [from, source] of sources)
    for (const to of ['gif', 'webp'].filter((to) => to !== from)) {
      const { bytes } = await convert(source, from, to)
      const meta = await sharp(bytes).metadata()
      t.same([meta.pages, meta.delay, meta.loop], [4, delay, 3], `${from} to ${to}`)
      for (const [page, colour] of rgb.entries())
        t.ok(near(await colourAt(bytes, 16, 16, page), colour, 30), `frame ${page}`)
    }
})

t.test('animated png', async (t) => {
  const { bytes } = await convert(moving, 'gif', 'apng')
  t.equal(await told(bytes, 'png', 'exiftool', '-s3', '-AnimationFrames'), '4\n')
  t.equal(await told(bytes, 'png', 'exiftool', '-s3', '-n', '-AnimationPlays'), '3\n')
  t.same(await durations(bytes, 'apng'), delay)
  const frames = await told(
    bytes,
    'apng',
    'ffmpeg',
    '-v',
    'error',
    '-vsync',
    'passthrough',
    '-f',
    'framemd5',
    '-',
    '-i',
  )
  t.equal(frames.split('\n').filter((line) => /^\d/.test(line)).length, 4)
  t.ok(near(await colourAt(bytes, 3, 3), rgb[0]!), 'a reader of still pictures sees the first frame')
})

t.test('a still picture becomes an apng of one frame', async (t) => {
  const png = await pattern(40, 30, 4).png().toBuffer()
  const { bytes } = await convert(png, 'png', 'apng')
  t.equal(await told(bytes, 'png', 'exiftool', '-s3', '-AnimationFrames'), '1\n')
  t.equal(psnr(await samples(bytes), await samples(png)), Infinity)
  for (const to of ['gif', 'avif', 'png'].filter((to) => can('apng', to))) {
    const meta = await sharp((await convert(bytes, 'apng', to)).bytes).metadata()
    t.same([meta.width, meta.height, meta.pages ?? 1], [40, 30, 1], to)
  }
})

t.test('avif sequences', { skip: !can('gif', 'avif') }, async (t) => {
  for (const options of [{}, { lossless: true }, { quality: 30 }]) {
    const { bytes } = await convert(moving, 'gif', 'avif', options)
    t.equal(bytes.toString('latin1', 8, 12), 'avis')
    t.same(await durations(bytes, 'avif'), delay)
    const back = await convert(bytes, 'avif', 'webp', { lossless: true })
    t.same((await sharp(back.bytes).metadata()).delay, delay)
    for (const [page, colour] of rgb.entries())
      t.ok(near(await colourAt(back.bytes, 16, 16, page), colour, options.lossless ? 0 : 20), `frame ${page}`)
  }
  const small = await convert(moving, 'gif', 'avif', { targetSizeKb: 2, maxWidth: 16 })
  t.ok(small.bytes.length <= 2000)
  const large = (await convert(moving, 'gif', 'avif')).bytes
  t.ok((await convert(large, 'avif', 'avif')).bytes.equals(large), 'nothing to gain without options')
  const half = (await convert(large, 'avif', 'avif', { maxWidth: 16 })).bytes
  t.same(await durations(half, 'avif'), delay)
  t.match(await told(half, 'avif', 'exiftool', '-s3', '-ImageWidth'), /^16\n/)
  const still = await convert((await convert(moving, 'gif', 'avif')).bytes, 'avif', 'png')
  t.ok(near(await colourAt(still.bytes, 16, 16), rgb[0]!, 20), 'a still target gets the first frame')
})

const partial = real('anim.apng')
t.test('partial frames are composed as browsers do it', { skip: !existsSync(partial) }, async (t) => {
  const file = partial
  const mine = await convert(file, 'apng', 'webp', { lossless: true })
  const folder = await mkdtemp(join(tmpdir(), 'frames-'))
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-f',
    'apng',
    '-i',
    file,
    '-vsync',
    'passthrough',
    '-pix_fmt',
    'rgba',
    join(folder, '%02d.png'),
  ])
  for (const [page, name] of (await readdir(folder)).sort().entries()) {
    const own = await sharp(mine.bytes, { page }).flatten({ background: '#808080' }).raw().toBuffer()
    const theirs = await sharp(join(folder, name)).flatten({ background: '#808080' }).raw().toBuffer()
    t.ok(psnr(own, theirs) > 50, `frame ${page}: ${psnr(own, theirs)} dB`)
  }
  await rm(folder, { recursive: true })
})

t.test('animations are resized frame by frame', async (t) => {
  for (const to of ['webp', 'apng']) {
    const { bytes } = await convert(moving, 'gif', to, { maxWidth: 16 })
    const meta = await sharp(bytes).metadata()
    t.same([meta.width, meta.height], [16, 16], to)
  }
  const cover = await convert(moving, 'gif', 'webp', { maxWidth: 20, maxHeight: 10, fit: 'cover' })
  const meta = await sharp(cover.bytes).metadata()
  t.same([meta.width, meta.pageHeight ?? meta.height, meta.pages], [20, 10, 4])
})

t.test('a still target shows the first frame', async (t) => {
  for (const to of ['png', 'jpg', 'tif']) {
    const { bytes, paged } = await convert(moving, 'gif', to)
    t.notOk(paged)
    t.ok(near(await colourAt(bytes, 16, 16), rgb[0]!), to)
  }
  const { bytes } = await convert(moving, 'gif', 'bmp')
  t.ok(near(await colourAt((await convert(bytes, 'bmp', 'png')).bytes, 16, 16), rgb[0]!), 'bmp')
})

const scan = real('multipage-g3.tif')
t.test('pages of different sizes and kinds in one tif', { skip: !existsSync(scan) }, async (t) => {
  const source = scan
  const original = await readFile(source)
  const count = (await sharp(original).metadata()).pages!
  const made = await convert(source, 'tif', 'tif', { progressive: true })
  t.equal((await sharp(made.bytes).metadata()).pages, count)
  for (let page = 0; page < count; page++) {
    const [own, theirs] = await Promise.all(
      [original, made.bytes].map((file) => sharp(file, { page }).raw().toBuffer()),
    )
    t.ok(own!.equals(theirs!), `page ${page}`)
  }
  const zip = await convert(source, 'tif', 'png', {}, 'scan of 2026')
  t.ok(zip.paged)
  const files = unzipped(zip.bytes)
  t.same(
    [...files.keys()],
    Array.from({ length: count }, (_, index) => `scan of 2026-00${index + 1}.png`),
  )
  for (const [index, file] of [...files.values()].entries()) {
    const { width, height } = await sharp(original, { page: index }).metadata()
    const meta = await sharp(file).metadata()
    t.same([meta.width, meta.height], [width, height])
  }
})

t.test('many pages of a document', { skip: !can('pdf', 'png') }, async (t) => {
  const pdf = threePages()
  const tif = await convert(pdf, 'pdf', 'tif')
  t.notOk(tif.paged)
  t.equal((await sharp(tif.bytes).metadata()).pages, 3)
  const sizes = await Promise.all([0, 1, 2].map(async (page) => (await sharp(tif.bytes, { page }).metadata()).width))
  t.same(sizes, [150, 300, 450], 'at 150 dpi, each of its own size')
  for (const to of ['jpg', 'bmp']) {
    const { bytes, paged } = await convert(pdf, 'pdf', to, {}, 'report')
    t.ok(paged)
    t.same(
      [...unzipped(bytes).keys()],
      ['report-001', 'report-002', 'report-003'].map((stem) => `${stem}.${to}`),
    )
  }
  const limited = await convert(pdf, 'pdf', 'jpg', { targetSizeKb: 9 })
  t.ok(limited.bytes.length <= 9000, `the zip of ${limited.bytes.length} bytes meets the limit`)
  const box = await convert(pdf, 'pdf', 'png', { maxWidth: 600 })
  for (const page of unzipped(box.bytes).values()) t.equal((await sharp(page).metadata()).width, 600)
})

/** A pdf of three pages that are 1, 2 and 3 inches wide, each with a grey square. */
function threePages(): Buffer {
  const objects = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Count 3/Kids[3 0 R 4 0 R 5 0 R]>>']
  for (const inches of [1, 2, 3])
    objects.push(`<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${inches * 72} 72]/Contents 6 0 R>>`)
  objects.push('<</Length 26>>stream\n0.5 g 10 10 30 30 re f    \nendstream')
  let file = '%PDF-1.4\n'
  const places = objects.map((body, index) => {
    const at = file.length
    file += `${index + 1} 0 obj${body}endobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 7\n0000000000 65535 f \n${places.join('')}`
  return Buffer.from(`${file}${table}trailer<</Size 7/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF`)
}

t.test('a single page becomes a file, not a zip', async (t) => {
  const tif = await pattern(64, 48).tiff().toBuffer()
  const { bytes, paged } = await convert(tif, 'tif', 'png')
  t.notOk(paged)
  t.equal(psnr(await samples(bytes), await samples(tif)), Infinity)
})

t.test('a smaller copy inside a tif is not a page', async (t) => {
  const tile = { tile: true, tileWidth: 64, tileHeight: 64 }
  const pyramid = await pattern(512, 512)
    .tiff({ ...tile, pyramid: true })
    .toBuffer()
  t.ok((await sharp(pyramid).metadata()).pages! > 1)
  const { bytes, paged } = await convert(pyramid, 'tif', 'png')
  t.notOk(paged)
  t.equal((await sharp(bytes).metadata()).width, 512)
})
