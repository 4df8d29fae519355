/** Where the first decoder of a format refuses a file, another installed one that reads it right follows. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { readers } from '../../../plugins/image/readers.ts'
import { readable } from '../../../plugins/image/sharp.ts'
import { deepJpeg } from '../../fixtures/deep-jpeg.ts'
import { imageKinds } from '../../fixtures/image.ts'
import { height, pixels, width } from '../../fixtures/picture.ts'
import { ffmpeg, magick, program } from '../../fixtures/program.ts'
import { raw, rawHeight, rawWidth } from '../../fixtures/raw.ts'
import { psnr } from './proof.ts'
import { blocks, medical } from './rare-kinds.ts'
import { exr, floats, oldJpeg } from './rarities.ts'
import { studio } from './studio.ts'
import { workshop } from './workshop.ts'

t.setTimeout(60 * 60_000)
const { convert, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())
const scratch = await mkdtemp(join(tmpdir(), 'fall-'))
t.teardown(() => rm(scratch, { recursive: true, force: true }))

const rgb = Buffer.from(pixels().filter((_, at) => at % 4 < 3))
const opaque = () => sharp(rgb, { raw: { width, height, channels: 3 } })
const png = join(scratch, 'picture.png')
await opaque().png().toFile(png)

type Make = (output: string) => Promise<unknown>
const written =
  (bytes: () => Buffer | Promise<Buffer>): Make =>
  async (output) =>
    writeFile(output, await bytes())
const kind =
  (name: keyof typeof imageKinds): Make =>
  (output) =>
    imageKinds[name].make(output, scratch)
const packed =
  (compression: string): Make =>
  (output) =>
    magick(png, '-compress', compression, `TIFF:${output}`)

/** Sensor data that ends too early, and the camera's own JPEG. */
const cut = (format: 'nef' | 'cr2' | 'pef'): Make =>
  written(async () => {
    const large = opaque().resize(rawWidth, rawHeight, { kernel: 'nearest' })
    return raw(format, await large.jpeg({ quality: 95 }).toBuffer(), [[273, 'long', { blob: Buffer.alloc(9_000, 60) }]])
  })

/** Files by source format: how they are made, and the least likeness in dB. Greys are compared with the grey picture. */
const files: Readonly<Record<string, readonly (readonly [name: string, make: Make, least: number, grey?: 'grey'])[]>> =
  {
    jpg: [
      ['12 bits', (output) => deepJpeg(png, output, scratch, '+ee'), 30],
      ['12 bits, progressive', (output) => deepJpeg(png, output, scratch, '+ep'), 30],
    ],
    tif: [
      ['LZMA', packed('LZMA'), 90],
      ['Zstandard', packed('ZSTD'), 90],
      ['fractions of 64 bits', written(() => floats(rgb, width, height, 64)), 50],
      [
        'JPEG of the old style',
        written(async () =>
          oldJpeg(await opaque().jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer(), width, height),
        ),
        30,
      ],
      ['luma and chroma by ImageMagick', (output) => magick(png, '-colorspace', 'YCbCr', `TIFF:${output}`), 40],
      ['luma and chroma by FFmpeg', (output) => ffmpeg('-i', png, '-pix_fmt', 'yuv444p', output), 24],
    ],
    avif: [['a sequence', kind('animated.avif'), 25]],
    exr: [['luminance', written(() => exr(rgb, width, height, false)), 20, 'grey']],
    dds: [
      ['one channel', written(async () => blocks(await grey(), width, height, 'ATI1')), 30, 'grey'],
      ['the header of Direct3D 10', written(async () => blocks(await grey(), width, height, 'DX10')), 30, 'grey'],
    ],
    icns: [['JPEG 2000', kind('jp2.icns'), 0]],
    dcm: [
      ['JPEG-LS', kind('lossless.dcm'), 25],
      ['JPEG 2000', medical2000(), 90],
    ],
    ai: [['PostScript', kind('postscript.ai'), 0]],
    nef: [['sensor data cut off', cut('nef'), 24]],
    cr2: [['sensor data cut off', cut('cr2'), 24]],
    pef: [['sensor data cut off', cut('pef'), 24]],
  }

const grey = () => opaque().grayscale().raw().toBuffer()

function medical2000(): Make {
  return async (output) => {
    await program('opj_compress', '-i', png, '-o', join(scratch, 'in.j2k'))
    await writeFile(output, medical(await readFile(join(scratch, 'in.j2k')), width, height))
  }
}

/** Whether the first decoder of a format refuses a file. */
async function isRefused(from: string, path: string): Promise<boolean> {
  if (readable.includes(from))
    return (from === 'tif' ? refusedTif(path) : sharp(path).toBuffer()).then(
      () => false,
      () => true,
    )
  using shop = workshop()
  const job = shop.job(from, 'png')
  await writeFile(shop.host(job.input), await readFile(path))
  try {
    await shop.follow(job, readers.find((reader) => reader.from.includes(from))!.steps)
  } catch (error) {
    if ((error as { code?: string }).code !== 'CONVERSION_ERROR') throw error
    return true
  }
  // icns2png does not fail if it knows none of the images.
  const written = await readdir(shop.host(job.scratch), { recursive: true, withFileTypes: true })
  return !written.some((entry) => entry.isFile())
}

/** libvips takes any numbers for levels, and luma and chroma for colours: the service refuses them before. */
async function refusedTif(path: string) {
  const same = await psnr(await sharp(path).png().toBuffer(), png)
  if (same < 15) throw new Error(`${same} dB`)
}

for (const [from, kinds] of Object.entries(files))
  for (const [name, make, least, isGrey] of kinds)
    t.test(`${from}: ${name}`, async (t) => {
      const path = join(scratch, `${name.replaceAll(' ', '-')}.${from}`)
      await make(path)
      t.ok(await isRefused(from, path), 'the first decoder refuses it')
      const { bytes, paged } = await convert(path, from, 'png')
      t.notOk(paged)
      const wanted = isGrey ? await opaque().grayscale().toColourspace('srgb').png().toBuffer() : png
      const shown = await sharp(bytes).resize(width, height, { fit: 'fill', kernel: 'nearest' }).png().toBuffer()
      if (least > 0)
        t.ok((await psnr(shown, wanted)) >= least, `${await psnr(shown, wanted)} dB, at least ${least} wanted`)
      else t.ok((await sharp(bytes).stats()).channels[0]!.stdev > 30, 'it is not blank')
    })
