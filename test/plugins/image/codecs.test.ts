import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { magickWasm } from '../../../engines/magick-wasm.ts'
import { readers } from '../../../plugins/image/readers.ts'
import { writers } from '../../../plugins/image/writers.ts'
import { colourful, opacity, psnr } from './proof.ts'
import { executable, flat, page, tool, workshop } from './workshop.ts'

/** What a target must keep, and how another program than its own decoder reads it. */
interface Proof {
  /** Minimum dB of the result, decoded by our reader. Default 99: no bit is lost. */
  floor?: number
  /** What the picture becomes if the target can store less. Default: the picture itself. */
  reduced?: (png: Buffer) => Promise<Buffer>
  look?: (file: string, png: string) => void
}

const byFfmpeg =
  (codec: string, pixels = 'rgba', input: string[] = ['-f', 'image2', '-c:v', codec]) =>
  (file: string, png: string) =>
    void tool('ffmpeg', '-v', 'error', ...input, '-i', file, '-frames:v', '1', '-pix_fmt', pixels, png)

const byWasm = (file: string, png: string) => {
  const format = file.split('.').at(-1)!.toUpperCase()
  const args = magickWasm.argv({ input: file, output: png } as never, [format])
  tool(executable(magickWasm)!, ...flat(args))
}

const byNetpbm = (program: string) => (file: string, png: string) =>
  void tool('sh', '-c', '$1 "$2" | pamtopng > "$3"', 'sh', program, file, png)

/** Reads PFM by its definition: 32-bit floats, byte order by the sign of the scale, lowest row first. */
const byDefinition = (file: string, png: string) => {
  const bytes = readFileSync(file)
  const [head, width, height, sign] = /^PF\n(\d+) (\d+)\n(-?)1(?:\.0+)?\n/.exec(bytes.toString('latin1', 0, 100))!
  const floats = bytes.subarray(head.length)
  const row = Number(width) * 3
  const samples = Buffer.alloc(Number(height) * row * 2)
  for (let at = 0; at < Number(height) * row; at++) {
    const from = (Number(height) - 1 - Math.floor(at / row)) * row + (at % row)
    const light = sign ? floats.readFloatLE(from * 4) : floats.readFloatBE(from * 4)
    samples.writeUInt16BE(Math.round(Math.min(1, Math.max(0, light)) * 65535), at * 2)
  }
  writeFileSync(`${png}.ppm`, Buffer.concat([Buffer.from(`P6\n${width} ${height}\n65535\n`), samples]))
  tool('convert-im6.q16', `${png}.ppm`, '-set', 'colorspace', 'RGB', '-colorspace', 'sRGB', png)
}

/** Luma by ITU-R BT.709, from unconverted values. */
const gray = (png: Buffer) => {
  const luma: [number, number, number] = [0.2126, 0.7152, 0.0722]
  return sharp(png).flatten({ background: '#fff' }).recomb([luma, luma, luma]).png().toBuffer()
}

/** Averages of 8 × 8 pixels, which dithering keeps. */
const blurred = async (png: Buffer) =>
  sharp(await gray(png))
    .resize(25, 17, { fit: 'fill', kernel: 'linear' })
    .png()
    .toBuffer()

/** The square of an icon: the picture in the centre, at the size of its largest entry. */
const icon = (size: number) => (png: Buffer) =>
  sharp(png)
    .ensureAlpha()
    .resize(size, size, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .png()
    .toBuffer()

/** Alpha is on or off; half transparent colours look as on white. */
const cutOut = async (png: Buffer) => {
  const alpha = await sharp(png).ensureAlpha().extractChannel('alpha').threshold(128).toBuffer()
  return sharp(await sharp(png).flatten({ background: '#fff' }).toBuffer())
    .joinChannel(alpha)
    .png()
    .toBuffer()
}

/** A cursor differs from an icon by one number in its header. */
function asIcon(file: string, png: string) {
  const cursor = readFileSync(file)
  t.strictSame([...cursor.subarray(0, 4)], [0, 0, 2, 0])
  cursor[2] = 1
  writeFileSync(`${png}.ico`, cursor)
  byFfmpeg('', 'rgba', ['-f', 'ico'])(`${png}.ico`, png)
}

const proofs: Record<string, Proof> = {
  heic: { floor: 38, look: byWasm },
  jxl: { floor: 34, look: byWasm },
  jp2: { floor: 42, look: byFfmpeg('jpeg2000') },
  jxr: { floor: 42 },
  qoi: { look: byWasm },
  exr: { floor: 45 },
  ico: { reduced: icon(200), look: byFfmpeg('', 'rgba', ['-f', 'ico']) },
  cur: { reduced: icon(200), look: asIcon },
  icns: { floor: 45, reduced: icon(256) },
  sgi: { look: byFfmpeg('sgi') },
  miff: { look: byWasm },
  pam: { look: byFfmpeg('pam') },
  pcx: { look: byNetpbm('pcxtoppm') },
  ras: { look: byNetpbm('rasttopnm') },
  xwd: { look: byFfmpeg('xwd') },
  pict: { look: byFfmpeg('', 'rgba', ['-f', 'qdraw_pipe']) },
  ppm: { look: byFfmpeg('ppm') },
  pfm: { floor: 45, look: byDefinition },
  dpx: { look: byFfmpeg('dpx') },
  hdr: { floor: 40, look: byWasm },
  pgm: { floor: 45, reduced: gray, look: byFfmpeg('pgm', 'gray') },
  fits: { floor: 45, reduced: gray, look: byFfmpeg('', 'gray', ['-f', 'fits']) },
  pbm: { floor: 28, reduced: blurred, look: byFfmpeg('pbm', 'gray') },
  xbm: { floor: 28, reduced: blurred, look: byNetpbm('xbmtopbm') },
  wbmp: { floor: 28, reduced: blurred, look: byNetpbm('wbmptopbm') },
  bmp: { look: byFfmpeg('bmp') },
  tga: { look: byFfmpeg('targa') },
  dds: { floor: 38, look: byFfmpeg('dds') },
  psd: { floor: 50, look: byWasm },
  xpm: { floor: 25, reduced: cutOut, look: byFfmpeg('xpm') },
}

const has = (program: string) => existsSync(`/usr/bin/${program}`)
if (!has('bwrap')) t.bailout('bubblewrap is needed')

t.strictSame(writers.flatMap(({ to }) => to).toSorted(), Object.keys(proofs).toSorted(), 'every target has a proof')

for (const writer of writers)
  for (const to of writer.to)
    for (const alpha of [false, true])
      t.test(`${to}${alpha ? ' with alpha' : ''}`, async (t) => {
        const proof = proofs[to]!
        const missing = writer.steps.find(({ engine }) => !executable(engine))
        if (missing) return void t.pass(`${missing.engine.name} is not installed`)
        using shop = workshop()
        const original = await colourful(200, 133, alpha)
        const png = writer.opaque ? await sharp(original).flatten({ background: '#fff' }).png().toBuffer() : original
        const file = await encoded(shop, to, png, { alpha: alpha && !writer.opaque })

        const expected = proof.reduced ? await proof.reduced(png) : png
        const floor = proof.floor ?? 99
        const judge = async (whose: string, result: string) => {
          const png = await sharp(result).toColourspace('srgb').png().toBuffer()
          const found = proof.reduced === blurred ? await blurred(png) : result
          const got = await psnr(found, expected)
          t.ok(got >= floor, `${whose}: ${got.toFixed(1)} dB of ${floor}`)
          const difference = Math.abs((await opacity(result)) - (await opacity(expected)))
          t.ok(difference < 0.01, `${whose}: alpha differs by ${difference.toFixed(3)}`)
        }
        await judge('our decoder', await decoded(to, file))
        if (!proof.look) return
        const looked = shop.host('/scratch/look.png')
        proof.look(file, looked)
        await judge('another program', looked)
      })

/** Encodes a picture; returns the result's path on the host. The options are those of the shop. */
async function encoded(shop: ReturnType<typeof workshop>, to: string, png: Buffer, { alpha = false } = {}) {
  const writer = writers.find((writer) => writer.to.includes(to))!
  const { width, height } = await sharp(png).metadata()
  const job = shop.job('png', to)
  mkdirSync(shop.host('/scratch/pages'), { mode: 0o777 })
  writeFileSync(shop.host('/scratch/pages/001.png'), png)
  await shop.follow(job, writer.steps, [page({ width, height, alpha })])
  return shop.host(`/scratch/results/001.${to}`)
}

/** Decodes a file with the preferred reader; returns the first page, or the largest entry. */
async function decoded(from: string, file: string) {
  const reader = readers.find((reader) => reader.from.includes(from))!
  const shop = workshop()
  t.teardown(() => shop[Symbol.dispose]())
  const job = shop.job(from, 'png')
  copyFileSync(file, shop.host(job.input))
  await shop.follow(job, reader.steps)
  const folder = shop.host('/scratch/decoded')
  const pages = readdirSync(folder).map((name) => join(folder, name))
  if (reader.pages !== 'largest') return pages.toSorted()[0]!
  const sizes = await Promise.all(pages.map(async (page) => ({ page, width: (await sharp(page).metadata()).width })))
  return sizes.toSorted((a, b) => b.width - a.width)[0]!.page
}

t.test('lossless is lossless', async (t) => {
  for (const to of ['heic', 'jxl', 'jp2'])
    for (const alpha of [false, true]) {
      using shop = workshop({ lossless: true })
      const png = await colourful(97, 61, alpha)
      const file = await encoded(shop, to, png, { alpha })
      // Older versions of heif-enc ignore the option for RGB, so colours may differ by one.
      const floor = to === 'heic' ? 50 : 99
      const got = await psnr(await decoded(to, file), png)
      t.ok(got >= floor, `${to}${alpha ? ' with alpha' : ''}: ${got.toFixed(1)} dB of ${floor}`)
    }
})

t.test('lower quality means fewer bytes and less likeness', async (t) => {
  const png = await colourful(300, 200)
  for (const to of ['heic', 'jxl', 'jp2', 'jxr']) {
    const sizes: number[] = []
    for (const quality of [1, 30, 60, 90, 100]) {
      using shop = workshop({ quality })
      sizes.push(statSync(await encoded(shop, to, png)).size)
    }
    t.strictSame(
      sizes,
      sizes.toSorted((a, b) => a - b),
      `${to} grows with quality: ${sizes}`,
    )
    t.ok(sizes[4]! > 1.5 * sizes[0]!, `${to} has a range`)
  }
})

t.test('sixteen bits', async (t) => {
  const deep = await sharp(await colourful(120, 80))
    .toColourspace('rgb16')
    .linear(0.9, 7)
    .png()
    .toBuffer()
  t.equal((await sharp(deep).metadata()).depth, 'ushort')
  for (const { deep: keeps, to } of writers)
    for (const format of keeps && to.every((one) => !['pgm', 'fits'].includes(one)) ? to : []) {
      using shop = workshop({ lossless: true })
      const result = await decoded(format, await encoded(shop, format, deep))
      t.equal((await sharp(result).metadata()).depth, 'ushort', `${format} keeps them`)
      const got = await psnr(result, deep)
      t.ok(got >= 40, `${format}: ${got.toFixed(1)} dB`)
    }
})

t.test('odd sizes', async (t) => {
  for (const { to } of writers)
    for (const format of to) {
      if (['ico', 'cur', 'icns'].includes(format)) continue
      for (const [width, height] of [
        [1, 1],
        [7, 3],
        [3, 301],
      ] as const) {
        using shop = workshop()
        const png = await colourful(width, height)
        const found = await sharp(await decoded(format, await encoded(shop, format, png))).metadata()
        t.strictSame([found.width, found.height], [width, height], `${format} ${width} × ${height}`)
      }
    }
})

t.test('icons', async (t) => {
  using shop = workshop()
  const file = await encoded(shop, 'ico', await colourful(40, 40, true), { alpha: true })
  const sizes = tool('file', file).toString()
  t.match(sizes, /4 icons/, 'sizes of 16, 24, 32 and its own, none enlarged')
  for (const side of [1024, 300]) {
    using shop = workshop()
    const icns = await encoded(shop, 'icns', await colourful(side, side))
    t.equal((await sharp(await decoded('icns', icns)).metadata()).width, side === 300 ? 512 : 1024)
  }
})
