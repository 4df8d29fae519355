/** Rare kinds of usual formats, which the first decoder refuses or reads wrongly, and another one reads right. */
import { readFile, writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import t from 'tap'
import { deepJpeg } from '../../fixtures/deep-jpeg.ts'
import { imageKinds } from '../../fixtures/image.ts'
import { height, pixels, width } from '../../fixtures/picture.ts'
import { ffmpeg, magick, program } from '../../fixtures/program.ts'
import { raw, rawHeight, rawWidth } from '../../fixtures/raw.ts'
import { studio } from '../../harness/studio.ts'
import { colourAt, likeness } from './pictures.ts'
import { blocks, medical } from './rare-kinds.ts'
import { exr, floats, oldJpeg, signed } from './rarities.ts'

const { convert, failure, folder, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())
t.setTimeout(60 * 60_000)

const rgb = Buffer.from(pixels().filter((_, at) => at % 4 < 3))
const opaque = () => sharp(rgb, { raw: { width, height, channels: 3 } })
const grey = () => opaque().grayscale().raw().toBuffer()
const png = `${folder}/picture.png`
const greyPng = `${folder}/grey.png`
await opaque().png().toFile(png)
await opaque().grayscale().toColourspace('srgb').png().toFile(greyPng)

type Make = (output: string) => Promise<unknown>
const written =
  (bytes: () => Buffer | Promise<Buffer>): Make =>
  async (output) =>
    writeFile(output, await bytes())
const kind =
  (name: keyof typeof imageKinds): Make =>
  (output) =>
    imageKinds[name].make(output, folder)
const tiff =
  (...args: string[]): Make =>
  (output) =>
    magick(png, ...args, `TIFF:${output}`)

/** Sensor data that ends too early, and the camera's own JPEG. */
const cut = written(async () => {
  const large = opaque().resize(rawWidth, rawHeight, { kernel: 'nearest' })
  return raw('nef', await large.jpeg({ quality: 95 }).toBuffer(), [[273, 'long', { blob: Buffer.alloc(9_000, 60) }]])
})
const jpeg = () => opaque().jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer()
const codestream: Make = (output) => program('opj_compress', '-i', png, '-o', output)
/** JPEG-LS by DCMTK. `order` tells how colours alternate. */
const jls =
  (order: string): Make =>
  async (output) => {
    await magick(png, '-alpha', 'off', `BMP3:${folder}/in.bmp`)
    await program('img2dcm', '-i', 'BMP', `${folder}/in.bmp`, `${folder}/in.dcm`)
    await program('dcmcjpls', `--interleave-${order}`, `${folder}/in.dcm`, `${folder}/out.dcm`)
    const bytes = await readFile(`${folder}/out.dcm`)
    const start = bytes.indexOf(Buffer.from([0xff, 0xd8, 0xff]))
    await writeFile(output, bytes.subarray(start, bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) + 2))
  }

/** By source format: how files are made, and the least likeness in dB; greys are compared with the grey picture. */
const files: Readonly<Record<string, readonly (readonly [name: string, make: Make, least: number, grey?: 'grey'])[]>> =
  {
    jpg: [['12 bits', (output) => deepJpeg(png, output, folder, '+ee'), 30]],
    tif: [
      ['LZMA', tiff('-compress', 'LZMA'), 90],
      ['fractions of 64 bits', written(() => floats(rgb, width, height, 64)), 50],
      ['fractions of 32 bits', written(() => floats(rgb, width, height, 32)), 50],
      ['JPEG of the old style', written(async () => oldJpeg(await jpeg(), width, height)), 30],
      ['luma and chroma by ImageMagick', tiff('-colorspace', 'YCbCr'), 40],
      ['luma and chroma by FFmpeg', (output) => ffmpeg('-i', png, '-pix_fmt', 'yuv444p', output), 24],
    ],
    avif: [['a sequence', kind('animated.avif'), 25]],
    exr: [['luminance', written(() => exr(rgb, width, height, false)), 20, 'grey']],
    dds: [['the header of Direct3D 10', written(async () => blocks(await grey(), width, height, 'DX10')), 30, 'grey']],
    dcm: [
      ['JPEG-LS', kind('lossless.dcm'), 25],
      [
        'JPEG 2000',
        async (output) => {
          await codestream(`${folder}/in.j2k`)
          await writeFile(output, medical(await readFile(`${folder}/in.j2k`), width, height))
        },
        90,
      ],
    ],
    jls: [
      ['colours by plane', jls('none'), 90],
      ['colours by line', jls('line'), 90],
    ],
    ai: [['PostScript', kind('postscript.ai'), 0]],
    nef: [['sensor data cut off', cut, 24]],
  }

for (const [from, kinds] of Object.entries(files))
  for (const [name, make, least, isGrey] of kinds)
    t.test(`${from}: ${name}`, async (t) => {
      const path = `${folder}/${name.replaceAll(' ', '-')}.${from}`
      await make(path)
      const { bytes, paged } = await convert(path, `${from}>png`)
      t.notOk(paged)
      const shown = await sharp(bytes).resize(width, height, { fit: 'fill', kernel: 'nearest' }).png().toBuffer()
      const got = await likeness(shown, isGrey ? greyPng : png)
      if (least > 0) t.ok(got >= least, `${got} dB, at least ${least} wanted`)
      else t.ok((await sharp(bytes).stats()).channels[0]!.stdev > 30, 'it is not blank')
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
    ['12 bits with alpha', '/wpYMDgQgKJFCBAQAIgASxiLFQDcFC/G4KQuIAIAoWn7gP+DWvX/evs/h40d/w/DCA==', 127],
    ['10 bits', '/wpYMBRQtAgIBAEAcABLGIsVAFwUL8bg0AVCACgsSxrw37Ww/7z9h+gD', 255],
    ['12 bits', '/wpYMBhQtAgIBAEAdABLGIsVANwUL8ZgoQuEAFBomjTg/67G/b/e/g+sBg==', 255],
  ] as const) {
    const { bytes } = await convert(Buffer.from(base64, 'base64'), 'jxl>png')
    t.strictSame(await stored(bytes, 2, 2), [255, 0, 0, 255], name)
    const [, , blue, opacity] = await stored(bytes, 12, 2)
    t.ok(blue! > 250 && Math.abs(opacity! - alpha) <= 1, `${name}: ${blue}, ${opacity}`)
  }
})

t.test('jxl of 16 bits with alpha is read by djxl', async (t) => {
  const deep = await sharp(pixels(0, true), { raw: { width, height, channels: 4 } })
    .toColourspace('rgb16')
    .png()
    .toBuffer()
  const { path } = await convert(deep, 'png>jxl')
  await program('djxl', path, `${folder}/deep.png`)
  t.ok((await likeness(`${folder}/deep.png`, deep)) > 30)
})

t.test('avif: animation with alpha in television range', async (t) => {
  const filter = `split[a][b];[a]format=yuv444p[c];[b]alphaextract,lut=y='16+val*219/255'[d]`
  const clear = {
    create: { width: 64, height: 48, channels: 4 as const, background: { r: 0, g: 0, b: 255, alpha: 0 } },
  }
  const square = { create: { ...clear.create, width: 20, height: 20, background: '#00f' } }
  for (const frame of [0, 1])
    await sharp(clear)
      .composite([{ input: square, left: frame * 20, top: 0 }])
      .png()
      .toFile(`${folder}/${frame}.png`)
  const tracks = ['-map', '[c]', '-map', '[d]', '-c:v', 'libaom-av1', '-cpu-used', '8', '-crf', '10']
  const ranges = ['-color_range:v:0', 'pc', '-color_range:v:1', 'tv', '-f', 'avif', `${folder}/it.avif`]
  await ffmpeg('-framerate', '5', '-i', `${folder}/%d.png`, '-filter_complex', filter, ...tracks, ...ranges)
  for (const to of ['png', 'webp']) {
    const { bytes } = await convert(`${folder}/it.avif`, `avif>${to}`)
    t.equal((await colourAt(bytes, 5, 5))[3], 255, `${to}: opaque`)
    t.equal((await colourAt(bytes, 50, 40))[3], 0, `${to}: clear`)
  }
})

t.test('tif of signed numbers has its levels, or is refused', async (t) => {
  const ramp = Array.from({ length: 96 }, (_, x) => Math.round((x * 255) / 95))
  const { bytes } = await convert(signed(ramp, 16), 'tif>png')
  for (const x of [0, 30, 95]) t.ok(Math.abs((await colourAt(bytes, x, 0))[0]! - ramp[x]!) <= 1, `level ${ramp[x]}`)
  for (const bits of [8, 32] as const)
    t.match(await failure(signed(ramp, bits), 'tif>png'), { code: 'CONVERSION_ERROR', message: /numbers/ })
})

t.test('HEIF by the second decoder, whose colour profile has padding', async (t) => {
  const profiled = await opaque().withIccProfile('p3').jpeg().toBuffer()
  const { icc } = await sharp(profiled).metadata()
  await writeFile(`${folder}/it.jpg`, profiled)
  await writeFile(`${folder}/it.icc`, Buffer.concat([icc!, Buffer.alloc(2)]))
  await program('exiftool', '-overwrite_original', `-icc_profile<=${folder}/it.icc`, `${folder}/it.jpg`)
  await program('heif-enc', '-o', `${folder}/it.heic`, `${folder}/it.jpg`)
  const { bytes } = await convert(`${folder}/it.heic`, 'heic>png')
  t.same((await sharp(bytes).metadata()).icc, icc)
})
