import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import t from 'tap'
import { chunk, signature, words } from '../../../engines/programs/sharp/png.ts'
import { ffmpeg } from '../../fixtures/program.ts'
import { animatedGif, colourAt, pattern } from './pictures.ts'
import { studio } from './studio.ts'

const { convert, can, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())

const failure = (source: Buffer, from: string, to = 'jpg', options = {}) =>
  convert(source, from, to, options).then(
    ({ bytes }) => ({ code: `made ${bytes.length} bytes`, message: '' }),
    (error: { code: string; message: string }) => error,
  )

/** Matches a message without file names and program output. */
const human = /^(?!.*[/\\])(?!.*(vips|libpng|undefined|Error))[A-Z].{10,}$/

const sources: Record<string, Buffer> = {
  jpg: await pattern(300, 300).jpeg().toBuffer(),
  png: await pattern(300, 300).png().toBuffer(),
  webp: await pattern(300, 300).webp().toBuffer(),
  avif: await pattern(300, 300).avif({ effort: 0 }).toBuffer(),
  tif: await pattern(300, 300).tiff({ compression: 'lzw' }).toBuffer(),
  gif: await animatedGif(['#f00', '#0f0', '#00f'], [100, 100, 100], 0, 200),
}
sources.apng = (await convert(sources.gif!, 'gif', 'apng')).bytes

t.test('truncated files are refused', async (t) => {
  for (const [from, whole] of Object.entries(sources))
    for (const part of [0.02, 0.5, 0.9])
      for (const to of [from === 'webp' ? 'gif' : 'webp', 'bmp', 'tif'].filter((to) => to !== from)) {
        const { code, message } = await failure(whole.subarray(0, Math.floor(whole.length * part)), from, to)
        t.equal(code, 'CONVERSION_ERROR', `${part * 100} % of a ${from} to ${to}`)
        t.match(message, human)
      }
})

t.test('the service survives damaged files', async (t) => {
  for (const [from, whole] of Object.entries(sources)) {
    const damaged = Buffer.from(whole)
    for (let at = Math.floor(damaged.length / 3); at < damaged.length; at += 97) damaged[at]! ^= 0xff
    const { code } = await failure(damaged, from, 'bmp')
    t.match(code, /^(CONVERSION_ERROR|made \d+ bytes)$/, from)
    const { code: garbage } = await failure(Buffer.from('This is no picture at all. '.repeat(100)), from, 'bmp')
    t.equal(garbage, 'CONVERSION_ERROR', from)
  }
  t.match((await failure(sources.png!, 'png')).code, /^made/)
})

/** A PNG with these dimensions in its header and hardly any data. */
const bomb = (width: number, height: number) =>
  Buffer.concat([
    signature,
    chunk('IHDR', words(width, height), Buffer.from([1, 0, 0, 0, 0])),
    chunk('IDAT', deflateSync(Buffer.alloc(1_000_000))),
    chunk('IEND'),
  ])

t.test('pixel bombs are stopped at the header', async (t) => {
  for (const to of ['jpg', 'webp', 'bmp', 'heic', 'gif']) {
    const started = performance.now()
    const { code, message } = await failure(bomb(60_000, 60_000), 'png', to)
    t.equal(code, 'RESOURCE_LIMIT', to)
    t.match(message, /268 megapixels/)
    t.ok(performance.now() - started < 30_000)
  }
  t.equal((await failure(bomb(300_000, 900), 'png', 'tif')).code, 'RESOURCE_LIMIT')
})

t.test('all frames of an animation count towards the limit', async (t) => {
  const png = Buffer.from(await pattern(8, 8).png().toBuffer())
  const frame = chunk('fcTL', words(0, 8, 8, 0, 0), Buffer.from([0, 1, 0, 10, 0, 0]))
  const control = chunk('acTL', words(5000, 0))
  const huge = Buffer.concat([
    ...[signature, chunk('IHDR', words(16_000, 16_000), Buffer.from([8, 2, 0, 0, 0])), control],
    ...Array.from({ length: 5000 }, () => frame),
    png.subarray(33),
  ])
  t.equal((await failure(huge, 'apng', 'gif')).code, 'RESOURCE_LIMIT')
})

t.test('all frames of a webp are counted before it is decoded', async (t) => {
  const colours = ['#f00', '#0f0'].map(
    (background) => ({ width: 2000, height: 2000, channels: 3, background }) as const,
  )
  const frames = await Promise.all(colours.map((create) => sharp({ create }).png().toBuffer()))
  const two = await sharp(frames, { join: { animated: true } })
    .webp({ effort: 0, delay: [50, 50] })
    .toBuffer()
  const last = two.subarray(two.lastIndexOf('ANMF'))
  const huge = Buffer.concat([two, ...Array.from({ length: 1998 }, () => last)])
  huge.writeUInt32LE(huge.length - 8, 4)
  const meta = await sharp(huge, { animated: true, limitInputPixels: false }).metadata()
  t.same([meta.pages, meta.pageHeight, meta.width], [2000, 2000, 2000])
  for (const to of ['gif', 'apng']) {
    const began = performance.now()
    const { code, message } = await failure(huge, 'webp', to)
    t.equal(code, 'RESOURCE_LIMIT', to)
    t.match(message, /268 megapixels/)
    const took = performance.now() - began
    t.ok(took < 60_000, `${to}: ${Math.round(took)} ms`)
  }
})

t.test('avif sequences are measured before they are decoded', { skip: !can('avif', 'webp') }, async (t) => {
  const folder = t.testdir()
  /** Some seconds of one colour at 10 frames a second: two frames, and copies of them. */
  async function sequence(name: string, side: number, seconds: number): Promise<Buffer> {
    const [two, path] = [join(folder, 'two.avif'), join(folder, `${name}.avif`)]
    const codec = ['-frames:v', 2, '-c:v', 'libaom-av1', '-cpu-used', 8, '-g', 1, '-f', 'avif']
    await ffmpeg('-f', 'lavfi', '-i', `color=red:size=${side}x${side}:rate=10`, ...codec, two)
    await ffmpeg('-stream_loop', seconds * 5 - 1, '-i', two, '-c', 'copy', '-f', 'avif', path)
    return readFile(path)
  }
  const large = await sequence('large', 2000, 200)
  t.ok(large.length < 200_000, `${large.length} bytes`)
  for (const to of ['webp', 'gif', 'apng']) {
    const began = performance.now()
    const { code, message } = await failure(large, 'avif', to)
    t.equal(code, 'RESOURCE_LIMIT', to)
    t.match(message, /^The animation has 2,000 frames of 2,000 × 2,000 pixels; at most 268 megapixels/)
    const took = performance.now() - began
    t.ok(took < 60_000, `${to}: ${Math.round(took)} ms`)
  }
  // The table of times counts 9 frames, the table of sizes 2,000.
  const liar = Buffer.from(large)
  const times = liar.indexOf('stts')
  t.same([liar.readUInt32BE(times + 8), liar.readUInt32BE(times + 12)], [1, 2000])
  liar.writeUInt32BE(9, times + 12)
  const { pages } = await sharp((await convert(liar, 'avif', 'gif')).bytes, { limitInputPixels: false }).metadata()
  t.equal(pages, 9, 'no more frames than the file announces')
  t.match((await failure(large, 'avif', 'jpg')).code, /^made/, 'a still of its first frame')
  t.match((await failure(await sequence('ordinary', 200, 30), 'avif', 'webp')).code, /^made/, '300 frames')
})

t.test('an animated png with parts outside the picture is refused', async (t) => {
  const whole = sources.apng!
  const at = whole.lastIndexOf('fcTL')
  const body = Buffer.from(whole.subarray(at + 4, at + 4 + 26))
  body.writeUInt32BE(0x7fff_ffff, 12)
  const broken = Buffer.concat([whole.subarray(0, at - 4), chunk('fcTL', body), whole.subarray(at + 4 + 26 + 4)])
  t.equal((await failure(broken, 'apng', 'webp')).code, 'CONVERSION_ERROR')
})

const svg = (attributes: string, body = '<rect width="100%" height="100%" fill="#f00"/>') =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${body}</svg>`,
  )

t.test('drawings are measured before they are rendered', async (t) => {
  const cases: [string, object][] = [
    ['width="1000000" height="1000000"', {}],
    ['width="20000" height="10"', {}],
    ['width="1" height="100"', { maxWidth: 200 }],
    ['width="10" height="10"', { maxWidth: 16_384, maxHeight: 16_384, fit: 'fill' }],
  ]
  for (const [attributes, options] of cases) {
    const { code, message } = await failure(svg(attributes), 'svg', 'png', options)
    if (attributes.includes('"10" height="10"')) t.match(code, /^made|RESOURCE_LIMIT/)
    else {
      t.equal(code, 'RESOURCE_LIMIT', attributes)
      t.match(message, /16,384 per side and 268 megapixels/)
    }
  }
})

t.test('drawings load no other files', async (t) => {
  const places = ['file:///etc/passwd', '/etc/passwd', 'file.svg', 'http://127.0.0.1:9/x.png', 'file:///in/file.svg']
  for (const href of places) {
    const body = `<image width="50" height="50" href="${href}"/><image width="50" height="50" xlink:href="${href}"/>`
    const { bytes } = await convert(svg('width="96" height="96"', body), 'svg', 'png')
    t.same(await colourAt(bytes, 10, 10), [0, 0, 0, 0], href)
  }
  const entity = `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg" width="96" height="96"><text y="50" font-size="40">&x;</text></svg>`
  const made = await convert(Buffer.from(entity), 'svg', 'png').catch(() => undefined)
  if (made) t.same((await sharp(made.bytes).stats()).channels[3]?.max, 0)
})

t.test('other attacks in drawings', async (t) => {
  const laughs = Array.from({ length: 12 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')
  const entities = `<!DOCTYPE svg [<!ENTITY l0 "ha">${laughs}]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&l12;</text></svg>`
  t.equal((await failure(Buffer.from(entities), 'svg', 'png')).code, 'CONVERSION_ERROR')
  t.equal((await failure(gzipSync(Buffer.alloc(100_000_000)), 'svgz', 'png')).code, 'RESOURCE_LIMIT')
  t.equal((await failure(svg('width="9" height="9"'), 'png', 'jpg')).code, 'CONVERSION_ERROR', 'under a false name')
  t.equal((await failure(sources.png!, 'svg', 'jpg')).code, 'CONVERSION_ERROR', 'a picture as a drawing')
})

t.test('pictures too large for their target', async (t) => {
  const long = await sharp({ create: { width: 20_000, height: 4, channels: 3, background: '#888' } })
    .png()
    .toBuffer()
  const { code, message } = await failure(long, 'png', 'webp')
  t.equal(code, 'CONVERSION_ERROR')
  t.match(message, /16383.*maxWidth/)
  t.match((await failure(long, 'png', 'webp', { maxWidth: 1000 })).code, /^made/)
})

t.test('a name cannot leave its folder in the zip', async (t) => {
  const pages = await Promise.all([8, 16].map((size) => pattern(size, size).tiff().toBuffer()))
  const { joinTiffs } = await import('../../../engines/programs/sharp/tiff.ts')
  const { mkdtemp, readFile, writeFile } = await import('node:fs/promises')
  const folder = await mkdtemp('/tmp/joined-')
  const files = await Promise.all(
    pages.map(async (page, index) => {
      await writeFile(`${folder}/${index}.tif`, page)
      return `${folder}/${index}.tif`
    }),
  )
  await joinTiffs(files, `${folder}/all.tif`)
  const { bytes, paged } = await convert(await readFile(`${folder}/all.tif`), 'tif', 'png', {}, '..\\..\\evil')
  t.ok(paged)
  t.match(bytes.toString('latin1'), /\.\._\.\._evil-001\.png/)
})
