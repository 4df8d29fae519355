import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import type { ImageOptions } from '../../../plugins/image/options.ts'
import { readers } from '../../../plugins/image/readers.ts'
import type { Reader } from '../../../plugins/image/stages.ts'
import { writers } from '../../../plugins/image/writers.ts'
import { colourful, opacity, psnr } from './proof.ts'
import { bitmaps, dng, jbig2, pdf, postscript, preview, xcf } from './samples.ts'
import { executable, tool, workshop } from './workshop.ts'

const collator = new Intl.Collator('en', { numeric: true })

/** Decodes with a reader, by default the preferred one; returns the host's paths of the pages. */
async function pages(
  from: string,
  file: Buffer | string,
  options: ImageOptions = {},
  reader: Reader = readers.find((reader) => reader.from.includes(from))!,
  to = 'png',
) {
  const shop = workshop(options)
  t.teardown(() => shop[Symbol.dispose]())
  const job = shop.job(from, to)
  writeFileSync(shop.host(job.input), file)
  await shop.follow(job, reader.steps)
  const folder = shop.host('/scratch/decoded')
  return readdirSync(folder)
    .toSorted(collator.compare)
    .map((name) => join(folder, name))
}

const size = async (file: string) => {
  const { width, height } = await sharp(file).metadata()
  return [width, height]
}

/** Returns red, green and blue of one pixel on white. Negative coordinates count from the opposite side. */
async function pixel(file: string, x: number, y: number) {
  const image = sharp(file).autoOrient().toColourspace('srgb').flatten({ background: '#fff' }).removeAlpha()
  const { data, info } = await image.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  const at = ((y < 0 ? info.height + y : y) * info.width + (x < 0 ? info.width + x : x)) * info.channels
  return info.channels === 1 ? [data[at]!, data[at]!, data[at]!] : [...data.subarray(at, at + 3)]
}

const red = [255, 0, 0]
const blue = [0, 0, 255]

if (!existsSync('/usr/bin/bwrap')) t.bailout('bubblewrap is needed')

/** Samples that an installed program writes: its arguments, and the minimum dB of our decoder. */
const written: Record<string, { by: (png: string, file: string) => string[]; floor: number; gray?: boolean }> = {
  dcx: { by: (png, file) => ['convert-im6.q16', png, `DCX:${file}`], floor: 99 },
  cin: { by: (png, file) => ['convert-im6.q16', png, `CIN:${file}`], floor: 40 },
  dpx: { by: (png, file) => ['convert-im6.q16', png, '-colorspace', 'Log', `DPX:${file}`], floor: 40 },
  jng: { by: (png, file) => ['convert-im6.q16', png, '-quality', '98', `JNG:${file}`], floor: 30 },
  mng: { by: (png, file) => ['convert-im6.q16', png, `MNG:${file}`], floor: 99 },
  psb: { by: (png, file) => ['convert-im6.q16', png, `PSB:${file}`], floor: 99 },
  jls: { by: (png, file) => ['ffmpeg', '-v', 'error', '-i', png, '-c:v', 'jpegls', '-f', 'image2', file], floor: 99 },
  jp2: { by: (png, file) => ['ffmpeg', '-v', 'error', '-i', png, '-c:v', 'jpeg2000', '-f', 'image2', file], floor: 30 },
  bmp: { by: (png, file) => ['ffmpeg', '-v', 'error', '-i', png, '-c:v', 'bmp', '-f', 'image2', file], floor: 99 },
  tga: { by: (png, file) => ['ffmpeg', '-v', 'error', '-i', png, '-c:v', 'targa', '-f', 'image2', file], floor: 99 },
  exr: { by: (png, file) => ['ffmpeg', '-v', 'error', '-i', png, '-c:v', 'exr', '-f', 'image2', file], floor: 0 },
  fits: { by: (png, file) => ['ffmpeg', '-v', 'error', '-i', png, '-pix_fmt', 'gbrp', file], floor: 99 },
  ras: { by: (png, file) => ['sh', '-c', `pngtopam "${png}" | pnmtorast > "${file}"`], floor: 99 },
  pfm: {
    by: (png, file) => [
      'sh',
      '-c',
      `convert-im6.q16 "${png}" -colorspace RGB -set colorspace sRGB -depth 16 ppm:- | pamtopfm > "${file}"`,
    ],
    floor: 45,
  },
  sgi: { by: (png, file) => ['sh', '-c', `pngtopam "${png}" | pnmtosgi > "${file}"`], floor: 99 },
  djvu: {
    by: (png, file) => ['sh', '-c', `pngtopam "${png}" > "${file}.ppm" && c44 "${file}.ppm" "${file}"`],
    floor: 30,
  },
  dcm: {
    by: (png, file) => [
      'sh',
      '-c',
      `convert-im6.q16 "${png}" "BMP3:${file}.bmp" && img2dcm -i BMP "${file}.bmp" "${file}"`,
    ],
    floor: 99,
  },
}

for (const [from, { by, floor }] of Object.entries(written))
  t.test(`${from} of another program`, async (t) => {
    using shop = workshop()
    const png = await colourful(203, 134)
    writeFileSync(shop.host('/scratch/it.png'), png)
    const file = shop.host(`/scratch/it.${from === 'jp2' ? 'jp2' : from}`)
    const [program, ...args] = by(shop.host('/scratch/it.png'), file)
    tool(program!, ...args)
    const [page, ...more] = await pages(from, readFileSync(file))
    t.strictSame(more, [])
    const got = await psnr(page!, png)
    t.strictSame(await size(page!), [203, 134])
    t.ok(got >= floor, `${got.toFixed(1)} dB of ${floor}`)
  })

t.test('pdf: paper, crop and rotation determine the size', async (t) => {
  const document = pdf([
    { paper: [200, 100] },
    { paper: [200, 100] },
    { paper: [200, 100], turn: 90 },
    { paper: [300, 300], crop: [100, 100, 200, 150] },
  ])
  const plain = await pages('pdf', document)
  t.strictSame(
    await Promise.all(plain.map(size)),
    [
      [417, 209],
      [417, 209],
      [209, 417],
      [209, 105],
    ],
    'at 150 dpi',
  )
  t.strictSame(await pixel(plain[0]!, 3, 3), red)
  t.strictSame(await pixel(plain[2]!, -4, 3), red, 'turned clockwise')
  t.strictSame(await pixel(plain[3]!, 3, 3), red, 'cropped')
  t.strictSame(await pixel(plain[3]!, -3, -3), blue)

  const filled = await pages('pdf', document, { maxWidth: 1000, maxHeight: 1000 })
  t.strictSame(await Promise.all(filled.map(size)), [
    [1000, 500],
    [1000, 500],
    [500, 1000],
    [1000, 500],
  ])
  const [covered] = await pages('pdf', document, { maxWidth: 300, maxHeight: 300, fit: 'cover' })
  t.strictSame(await size(covered!), [600, 300])
  const [high] = await pages('pdf', document, { maxHeight: 333 })
  t.strictSame(await size(high!), [666, 333])
})

t.test('pdf: pages are in order', async (t) => {
  const found = await pages('pdf', pdf(Array.from({ length: 112 }, (_, index) => ({ paper: [50 + index, 40] }))), {
    maxHeight: 40,
  })
  t.strictSame(
    (await Promise.all(found.map(size))).map(([width]) => width),
    Array.from({ length: 112 }, (_, i) => 50 + i),
  )
})

t.test('pdf: refusals', async (t) => {
  await t.rejects(pages('pdf', pdf([{ paper: [14_000, 100] }])), { code: 'RESOURCE_LIMIT' })
  await t.rejects(pages('pdf', pdf(Array(1001).fill({ paper: [9, 9] }))), {
    code: 'RESOURCE_LIMIT',
    message: /1001 pages/,
  })
  await t.rejects(pages('pdf', 'not a pdf'))
  using shop = workshop()
  writeFileSync(shop.host('/in/file.pdf'), pdf([{ paper: [100, 100] }]))
  const locked = shop.host('/out/locked.pdf')
  tool(
    'gs',
    '-q',
    '-sDEVICE=pdfwrite',
    '-sUserPassword=a',
    '-sOwnerPassword=b',
    '-o',
    locked,
    shop.host('/in/file.pdf'),
  )
  await t.rejects(pages('pdf', readFileSync(locked)), { code: 'ENCRYPTED_INPUT' })
})

t.test('PostScript', async (t) => {
  const ps = await pages('ps', postscript(3))
  t.strictSame(await Promise.all(ps.map(size)), Array(3).fill([209, 105]))
  t.strictSame(await pixel(ps[2]!, 3, 3), red)
  t.equal(await opacity(ps[0]!), 1)
  t.equal((await pages('eps', postscript(3))).length, 1, 'a drawing has one page')

  const [eps] = await pages('eps', postscript(1, '%!PS-Adobe-3.0 EPSF-3.0'), { maxWidth: 400 })
  t.strictSame(await size(eps!), [400, 200], 'cut to its box, as large as wanted')
  t.strictSame(await pixel(eps!, 3, 3), red)
  t.ok((await opacity(eps!)) < 0.97, 'on no paper')

  const stealing = `%!PS\n(/etc/passwd) (r) file 999 string readstring pop show showpage`
  await t.rejects(pages('ps', stealing))
})

t.test('Illustrator: pdf inside, or PostScript with the second reader', async (t) => {
  const [first, second] = readers.filter(({ from }) => from.includes('ai'))
  const [page] = await pages('ai', pdf([{ paper: [100, 50] }]), {}, first)
  t.strictSame(await size(page!), [209, 105])
  t.strictSame(await pixel(page!, 3, 3), red)
  const old = postscript(1, '%!PS-Adobe-3.0 EPSF-3.0')
  await t.rejects(pages('ai', old, {}, first))
  const [drawn] = await pages('ai', old, {}, second)
  t.strictSame(await pixel(drawn!, 3, 3), red)
})

t.test('djvu of several pages', async (t) => {
  using shop = workshop()
  const made: string[] = []
  for (const width of [90, 60]) {
    const file = shop.host(`/scratch/${width}`)
    writeFileSync(`${file}.png`, await colourful(width, 40))
    tool('sh', '-c', `pngtopam ${file}.png > ${file}.ppm && c44 ${file}.ppm ${file}.djvu`)
    made.push(`${file}.djvu`)
  }
  tool('djvm', '-c', shop.host('/scratch/both.djvu'), ...made)
  const both = readFileSync(shop.host('/scratch/both.djvu'))
  t.strictSame(await Promise.all((await pages('djvu', both)).map(size)), [
    [90, 40],
    [60, 40],
  ])
})

t.test('jbig2', async (t) => {
  const png = await sharp(await colourful(130, 70))
    .grayscale()
    .threshold(128)
    .png()
    .toBuffer()
  const [page] = await pages('jb2', await jbig2(png))
  t.equal(await psnr(page!, png), 99)
})

t.test('xcf: layers cover one another', async (t) => {
  const [page] = await pages('xcf', xcf())
  t.strictSame(await size(page!), [40, 30])
  t.strictSame(await pixel(page!, 2, 2), blue)
  const [r, g, b] = await pixel(page!, 14, 8)
  t.ok(Math.abs(r! - 128) < 3 && g === 0 && Math.abs(b! - 127) < 3, `half red over blue: ${[r, g, b]}`)
})

t.test('camera raw: developed, or its preview', async (t) => {
  const [develop, extract] = readers.filter(({ from }) => from.includes('cr2'))
  const flat = await sharp({ create: { width: 320, height: 200, channels: 3, background: '#4080c0' } })
    .png()
    .toBuffer()
  const [page] = await pages('dng', await dng(flat), {}, develop)
  t.strictSame(await size(page!), [320, 200])
  const [r, g, b] = await pixel(page!, 100, 100)
  t.ok(r! < g! && g! < b! && b! - r! > 60, `still a blue: ${[r, g, b]}`)

  const jpg = await sharp(await colourful(160, 120))
    .jpeg({ quality: 95 })
    .toBuffer()
  const cr2 = preview(jpg, 160, 120)
  await t.rejects(pages('cr2', cr2, {}, develop), { code: 'CONVERSION_ERROR' }, 'nothing to develop')
  await t.rejects(pages('nef', 'no picture', {}, extract))
  const [found] = await pages('cr2', cr2, {}, extract)
  t.equal((await sharp(found!).metadata()).orientation, 6, 'turned as the camera was')
  t.ok((await psnr(found!, await colourful(160, 120))) > 30)
})

t.test('emf and wmf, if no better engine is installed', async (t) => {
  using shop = workshop()
  const svg = shop.host('/scratch/it.svg')
  writeFileSync(
    svg,
    '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><rect width="200" height="100" fill="#00f"/><rect width="40" height="40" fill="#f00"/></svg>',
  )
  for (const from of ['emf', 'wmf']) {
    const file = shop.host(`/scratch/it.${from}`)
    tool('inkscape', `--export-filename=${file}`, svg)
    const [plain] = await pages(from, readFileSync(file))
    const [width, height] = await size(plain!)
    t.ok(Math.abs(width! - 313) < 4 && Math.abs(height! - 157) < 4, `${from} at 150 dpi: ${width} × ${height}`)
    t.strictSame(await pixel(plain!, 20, 20), red)
    t.strictSame(await pixel(plain!, -20, -20), blue)
    const [filled] = await pages(from, readFileSync(file), { maxWidth: 1000, maxHeight: 1000 })
    t.ok(((await size(filled!))[0] ?? 0) >= 1000, 'as large as wanted')
  }
})

t.test('bitmaps with rare headers', async (t) => {
  const colour = (x: number, y: number): [number, number, number, number] => [x * 48, y * 64, 248, x < 3 ? 255 : 64]
  for (const [name, file] of Object.entries(bitmaps(colour))) {
    const alpha = name.includes('with alpha')
    const [page] = await pages('bmp', file)
    t.strictSame(await size(page!), [6, 4], name)
    const data = await sharp(page!).toColourspace('srgb').ensureAlpha().raw().toBuffer()
    let worst = 0
    for (let y = 0; y < 4; y++)
      for (let x = 0; x < 6; x++)
        for (const [channel, value] of colour(x, y).entries()) {
          const expected = channel === 3 && !alpha ? 255 : value
          worst = Math.max(worst, Math.abs(data[(y * 6 + x) * 4 + channel]! - expected))
        }
    t.ok(worst <= (name === '16 bits' ? 7 : 0), `${name}: off by ${worst}`)
  }
})

t.test('tga from the bottom or from the top, compressed or not', async (t) => {
  for (const [descriptor, upward] of [
    [0, true],
    [0x20, false],
  ] as const) {
    const head = Buffer.from([0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 2, 0, 24, descriptor])
    const [top, bottom] = [Array(3).fill([0, 0, 255]).flat(), Array(3).fill([255, 0, 0]).flat()]
    const [page] = await pages(
      'tga',
      Buffer.concat([head, Buffer.from(upward ? [...bottom, ...top] : [...top, ...bottom])]),
    )
    t.strictSame(await pixel(page!, 0, 0), red, upward ? 'from the bottom' : 'from the top')
    t.strictSame(await pixel(page!, 2, 1), blue)
  }
})

t.test('heic of several pictures, and the second reader', async (t) => {
  using shop = workshop()
  for (const width of [90, 60]) writeFileSync(shop.host(`/scratch/${width}.png`), await colourful(width, 40))
  const several = shop.host('/scratch/several.heic')
  tool('heif-enc', shop.host('/scratch/90.png'), shop.host('/scratch/60.png'), '-o', several)
  t.strictSame(await Promise.all((await pages('heic', readFileSync(several))).map(size)), [
    [90, 40],
    [60, 40],
  ])
  const [, second] = readers.filter(({ from }) => from.includes('heic'))
  const [page] = await pages('heic', readFileSync(several), {}, second)
  t.ok((await psnr(page!, shop.host('/scratch/90.png'))) > 30)
})

t.test('icns with types unknown to icns2png', async (t) => {
  const [known, second] = readers.filter(({ from }) => from.includes('icns'))
  const png = await colourful(64, 64, true)
  const words = (length: number) => Buffer.from([0, 0, length >> 8, length & 255])
  const element = Buffer.concat([Buffer.from('ic12'), words(png.length + 8), png])
  const file = Buffer.concat([Buffer.from('icns'), words(element.length + 8), element])
  t.strictSame(await pages('icns', file, {}, known).catch(() => []), [])
  const [page] = await pages('icns', file, {}, second)
  t.equal(await psnr(page!, png), 99)
})

t.test('mng and jxl stay animated', async (t) => {
  using shop = workshop()
  const frames: string[] = []
  for (const [index, colour] of ['#f00', '#0f0', '#00f'].entries()) {
    frames.push(shop.host(`/scratch/${index}.png`))
    await sharp({ create: { width: 30, height: 20, channels: 3, background: colour } }).toFile(frames[index]!)
  }
  tool('convert-im6.q16', '-delay', '20', ...frames, `MNG:${shop.host('/scratch/it.mng')}`)
  const [moving] = await pages('mng', readFileSync(shop.host('/scratch/it.mng')), {}, undefined, 'webp')
  const { pages: count, delay } = await sharp(moving!).metadata()
  t.equal(count, 3)
  t.strictSame(delay, [200, 200, 200])

  const apng = shop.host('/scratch/it.apng')
  tool('ffmpeg', '-v', 'error', '-r', '5', '-i', shop.host('/scratch/%d.png'), '-plays', '0', apng)
  tool('cjxl', apng, shop.host('/scratch/it.jxl'), '-d', '0')
  const [unpacked] = await pages('jxl', readFileSync(shop.host('/scratch/it.jxl')))
  t.match(readFileSync(unpacked!).toString('latin1'), /acTL/, 'an animated PNG')
})

t.test('raw codestream of JPEG 2000 under the name jp2', async (t) => {
  using shop = workshop()
  const png = await colourful(90, 60)
  writeFileSync(shop.host('/scratch/it.png'), png)
  tool('opj_compress', '-i', shop.host('/scratch/it.png'), '-o', shop.host('/scratch/it.j2k'))
  const [page] = await pages('jp2', readFileSync(shop.host('/scratch/it.j2k')))
  t.equal(await psnr(page!, png), 99)
})

t.test('photo CD', async (t) => {
  using shop = workshop()
  const png = await colourful(768, 512)
  writeFileSync(shop.host('/scratch/it.png'), png)
  tool('convert-im6.q16', shop.host('/scratch/it.png'), `PCD:${shop.host('/scratch/it.pcd')}`)
  const [page] = await pages('pcd', readFileSync(shop.host('/scratch/it.pcd')))
  const got = await psnr(page!, png)
  // The program that wrote it increased its colour.
  t.ok(got > 15, `${got.toFixed(1)} dB`)
})

/** A FITS file: an empty primary image, then one of 64 × 64 numbers, bright at the top. */
function telescope(bits: 16 | -32): Buffer {
  const header = (...cards: string[]) =>
    Buffer.from(
      [...cards, 'END']
        .map((card) => card.padEnd(80))
        .join('')
        .padEnd(2880),
      'latin1',
    )
  const size = Math.abs(bits) / 8
  const data = Buffer.alloc(Math.ceil((64 * 64 * size) / 2880) * 2880)
  for (let index = 0; index < 64 * 64; index++) {
    // Rows start at the bottom; one dot is brighter than all others.
    const value = index === 2000 ? 30_000 : 100 + Math.floor(index / 64)
    if (bits === 16) data.writeInt16BE(value, 2 * index)
    else data.writeFloatBE(value, 4 * index)
  }
  return Buffer.concat([
    header('SIMPLE  = T', 'BITPIX  = 8', 'NAXIS   = 0', 'EXTEND  = T'),
    header("XTENSION= 'IMAGE   '", `BITPIX  = ${bits}`, 'NAXIS   = 2', 'NAXIS1  = 64', 'NAXIS2  = 64'),
    data,
  ])
}

for (const bits of [16, -32] as const)
  t.test(`fits of ${bits} bits: the tones are spread, and the image found behind an empty one`, async (t) => {
    const [page] = await pages('fits', telescope(bits))
    t.strictSame(await size(page!), [64, 64])
    t.strictSame(await pixel(page!, 5, 0), [255, 255, 255], 'the last row is at the top')
    t.strictSame(await pixel(page!, 5, -1), [0, 0, 0])
    const [middle] = await pixel(page!, 5, 32)
    t.ok(Math.abs(middle! - 127) < 10, `${middle} in the middle`)
  })

t.test('heic: a padded colour profile is kept without the padding', async (t) => {
  using shop = workshop()
  const jpeg = await sharp(await colourful(64, 64))
    .withIccProfile('p3')
    .jpeg()
    .toBuffer()
  const { icc: profile } = await sharp(jpeg).metadata()
  const [picture, filled] = ['/scratch/it.jpg', '/scratch/it.icc'].map(shop.host) as [string, string]
  writeFileSync(picture, jpeg)
  writeFileSync(filled, Buffer.concat([profile!, Buffer.alloc(2)]))
  tool('exiftool', '-overwrite_original', `-icc_profile<=${filled}`, picture)
  tool('heif-enc', '-o', shop.host('/scratch/it.heic'), picture)
  const heic = readFileSync(shop.host('/scratch/it.heic'))
  const reader = readers.filter(({ from }) => from.includes('heic'))[1]!
  const [page] = await pages('heic', heic, {}, reader)
  const { icc } = await sharp(page!).metadata()
  t.same(icc, profile)
})

t.test('every source is tested', async (t) => {
  const both = writers.flatMap(({ to }) => to)
  const alone = ['eps', 'ps', 'ai', 'pdf', 'emf', 'wmf', 'jb2', 'xcf', 'dng', 'cr2', 'pcd', 'jxl']
  // In fall-through.test.ts, rare.test.ts and ../vector/text-paths.test.ts.
  const elsewhere = ['jpg', 'tif', 'svg', 'svgz']
  const sameEngine = ['pnm', 'cr3', 'crw', 'nef', 'arw', 'orf', 'raf', 'rw2', 'pef', 'srw']
  const known = new Set([...both, ...alone, ...Object.keys(written), ...sameEngine, ...elsewhere])
  t.strictSame(
    readers.flatMap(({ from }) => from).filter((format) => !known.has(format)),
    [],
  )
})

const corpus = process.env.ATHANOR_CORPUS ?? join(import.meta.dirname, '../../../../shared/corpus')
const real: Record<string, [file: string, width: number, height: number][]> = {
  heic: [
    ['photo.heic', 1440, 960],
    ['small.heic', 800, 544],
  ],
  jxl: [['page.jxl', 2550, 3300]],
  jp2: [
    ['photo.jp2', 320, 240],
    ['small.j2k', 70, 46],
  ],
  jxr: [['photo.jxr', 200, 133]],
  icns: [['icon.icns', 512, 512]],
  ico: [['icon.ico', 32, 32]],
  cur: [['cursor.cur', 60, 60]],
  dcm: [['ct.dcm', 512, 512]],
  psd: [
    ['photo.psd', 200, 133],
    ['text.psd', 537, 51],
  ],
  xcf: [['gimp.xcf', 200, 133]],
  tga: [['photo.tga', 200, 133]],
  bmp: [['photo.bmp', 200, 133]],
  dds: [['photo.dds', 200, 133]],
  hdr: [['photo.hdr', 320, 240]],
  exr: [['pythonlogo.exr', 16, 16]],
  fits: [['img.fits', 100, 75]],
  pict: [['small.pict', 100, 75]],
  pcx: [['small.pcx', 100, 75]],
  qoi: [['photo.qoi', 320, 240]],
  sgi: [['photo.sgi', 320, 240]],
  xbm: [['gs.xbm', 48, 48]],
  xpm: [['logo.xpm', 32, 32]],
  djvu: [['page.djvu', 320, 240]],
}

for (const [from, files] of Object.entries(real))
  for (const [name, width, height] of files) {
    const file = join(corpus, 'image-vector-cad', name)
    if (!existsSync(file)) continue
    const able = readers.filter(({ from: formats, steps }) => {
      return formats.includes(from) && steps.every(({ engine }) => executable(engine))
    })
    // The icon of the corpus contains JPEG 2000, which the first program of the reader cannot decode.
    for (const reader of able.filter(({ steps }) => steps[0]!.engine.name !== 'icon-reader'))
      t.test(`${name} by ${(reader.engine ?? reader.steps[0]!.engine).name}`, async (t) => {
        const found = await Promise.all((await pages(from, readFileSync(file), {}, reader)).map(size))
        t.strictSame(found[0], [width, height])
      })
  }
