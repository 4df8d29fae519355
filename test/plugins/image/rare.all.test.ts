/** Rare kinds of usual formats, which the first decoder refuses or reads wrongly, and another one reads right. */
import { readFile, writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import t from 'tap'
import { deepJpeg } from '../../fixtures/deep-jpeg.ts'
import { imageKinds } from '../../fixtures/image.ts'
import { height, pixels, width } from '../../fixtures/picture.ts'
import { ffmpeg, magick, program } from '../../fixtures/program.ts'
import { bare } from '../bare.ts'
import { colourAt, likeness } from './pictures.ts'

const { convert, folder } = await bare(t, ['image'])
t.setTimeout(60 * 60_000)

const rgb = Buffer.from(pixels().filter((_, at) => at % 4 < 3))
const opaque = () => sharp(rgb, { raw: { width, height, channels: 3 } })
const png = `${folder}/picture.png`
await opaque().png().toFile(png)

type Make = (output: string) => Promise<unknown>
const kind =
  (name: keyof typeof imageKinds): Make =>
  (output) =>
    imageKinds[name].make(output, folder)
const tiff =
  (...args: string[]): Make =>
  (output) =>
    magick(png, ...args, `TIFF:${output}`)

/** By source format: how files are made, and the least likeness in dB. */
const files: readonly (readonly [name: string, from: string, make: Make, least: number])[] = [
  ['12 bits', 'jpg', (output) => deepJpeg(png, output, folder, '+ee'), 30],
  ['LZMA', 'tif', tiff('-compress', 'LZMA'), 90],
  ['luma and chroma by ImageMagick', 'tif', tiff('-colorspace', 'YCbCr'), 40],
  ['luma and chroma by FFmpeg', 'tif', (output) => ffmpeg('-i', png, '-pix_fmt', 'yuv444p', output), 24],
  ['a sequence', 'avif', kind('animated.avif'), 25],
  ['JPEG-LS', 'dcm', kind('lossless.dcm'), 25],
]

for (const [name, from, make, least] of files)
  t.test(`${from}: ${name}`, async (t) => {
    const path = `${folder}/${name.replaceAll(' ', '-')}.${from}`
    await make(path)
    const { bytes, paged } = await convert(path, `${from}>png`)
    t.notOk(paged)
    const shown = await sharp(bytes).resize(width, height, { fit: 'fill', kernel: 'nearest' }).png().toBuffer()
    const got = await likeness(shown, png)
    t.ok(got >= least, `${got} dB, at least ${least} wanted`)
  })

/** One pixel without conversion by the profile. */
const stored = async (bytes: Buffer, left: number, top: number) => {
  const one = sharp(bytes, { ignoreIcc: true }).extract({ left, top, width: 1, height: 1 })
  return [...(await one.ensureAlpha().raw({ depth: 'uchar' }).toBuffer())]
}

t.test('jxl of depths that djxl scales wrongly', async (t) => {
  // libjxl 0.11: the left half is opaque red, the right half is blue with half the opacity.
  for (const [name, base64, alpha] of [
    ['10 bits with alpha', '/wpYMDQIgKJFCBAQAIAASxiLFQBcFC/GYFAXEAFgtix9wH/Imv7z9r+jzON/EBI=', 127],
    ['12 bits', '/wpYMBhQtAgIBAEAdABLGIsVANwUL8ZgoQuEAFBomjTg/67G/b/e/g+sBg==', 255],
  ] as const) {
    const { bytes } = await convert(Buffer.from(base64, 'base64'), 'jxl>png')
    t.strictSame(await stored(bytes, 2, 2), [255, 0, 0, 255], name)
    const [, , blue, opacity] = await stored(bytes, 12, 2)
    t.ok(blue! > 250 && Math.abs(opacity! - alpha) <= 1, `${name}: ${blue}, ${opacity}`)
  }
})

t.test('avif: animation with alpha in television range', async (t) => {
  const filter = `split[a][b];[a]format=yuv444p[c];[b]alphaextract,lut=y='16+val*219/255'[d]`
  const create = { width: 64, height: 48, channels: 4 as const, background: { r: 0, g: 0, b: 255, alpha: 0 } }
  const square = { create: { ...create, width: 20, height: 20, background: '#00f' } }
  for (const frame of [0, 1])
    await sharp({ create })
      .composite([{ input: square, left: frame * 20, top: 0 }])
      .png()
      .toFile(`${folder}/${frame}.png`)
  const tracks = ['-map', '[c]', '-map', '[d]', '-c:v', 'libaom-av1', '-cpu-used', '8', '-crf', '10']
  const ranges = ['-color_range:v:0', 'pc', '-color_range:v:1', 'tv', '-f', 'avif', `${folder}/it.avif`]
  await ffmpeg('-framerate', '5', '-i', `${folder}/%d.png`, '-filter_complex', filter, ...tracks, ...ranges)
  const { bytes } = await convert(`${folder}/it.avif`, 'avif>png')
  t.equal((await colourAt(bytes, 5, 5))[3], 255, 'opaque')
  t.equal((await colourAt(bytes, 50, 40))[3], 0, 'clear')
})

t.test('HEIF by the second decoder, whose colour profile has padding', async (t) => {
  const profiled = await opaque().withIccProfile('p3').jpeg().toBuffer()
  const { icc } = await sharp(profiled).metadata()
  await writeFile(`${folder}/it.jpg`, profiled)
  await writeFile(`${folder}/it.icc`, Buffer.concat([icc!, Buffer.alloc(2)]))
  await program('exiftool', '-overwrite_original', `-icc_profile<=${folder}/it.icc`, `${folder}/it.jpg`)
  await program('heif-enc', '-o', `${folder}/it.heic`, `${folder}/it.jpg`)
  t.same((await sharp((await convert(await readFile(`${folder}/it.heic`), 'heic>png')).bytes).metadata()).icc, icc)
})
