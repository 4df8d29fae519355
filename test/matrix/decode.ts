import { readdir, readFile, writeFile } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import { encoded } from '../fixtures/linear.ts'
import { complaints, ffmpeg, program } from '../fixtures/program.ts'
import { withFolder } from '../harness/folder.ts'
import { declaredFrames } from './frames.ts'
import { byMagick7 } from './magick7.ts'
import { fromPam, type Pixels } from './pixels.ts'

// A sandbox for several jobs of one owner puts results at the same path, so readers must not cache paths.
sharp.cache(false)

type Reader = (path: string, format: string) => Promise<Pixels>

const rgba = ['-c:v', 'pam', '-pix_fmt', 'rgba']

/** FFmpeg, with options before the input. */
export const byFfmpeg =
  (...options: string[]): Reader =>
  async (path) =>
    fromPam(await ffmpeg(...options, '-i', path, '-frames:v', 1, '-f', 'image2pipe', ...rgba, '-'))

/** Pixels in sRGB of what sharp decodes. */
export async function pixelsOf(picture: Sharp): Promise<Pixels> {
  const plain = picture.toColourspace('srgb').ensureAlpha().raw({ depth: 'uchar' })
  const { data, info } = await plain.toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, data }
}

const bySharp: Reader = (path) => pixelsOf(sharp(path, { limitInputPixels: 2 ** 26 }))

/** Programs that convert to a picture that sharp can read, given input and output. */
const by =
  (extension: string, call: (input: string, output: string) => Promise<unknown>): Reader =>
  (path) =>
    withFolder(async (folder) => {
      const output = `${folder}/out.${extension}`
      await call(path, output)
      return bySharp(output, extension)
    })

/** Extracts the largest picture of an icon with libicns, which did not write it. */
const largestIcns: Reader = (path) =>
  withFolder(async (folder) => {
    await program('icns2png', '-x', '-o', folder, path)
    const pictures = await Promise.all((await readdir(folder)).map((name) => bySharp(`${folder}/${name}`, 'png')))
    const largest = pictures.sort((one, other) => other.width - one.width)[0]
    if (!largest) throw new Error('no picture in the icon')
    return largest
  })

/** Reads a program's PNM output with ffmpeg. */
const byNetpbm =
  (name: string): Reader =>
  (path, format) =>
    withFolder(async (folder) => {
      await writeFile(`${folder}/out.pnm`, await program(name, path))
      return byFfmpeg()(`${folder}/out.pnm`, format)
    })

/** libpng refuses some colour profiles, which JPEG can hold. heif-convert only tells so, and does not fail. */
const byLibheif: Reader = (path) =>
  withFolder(async (folder) => {
    const said = await complaints('heif-convert', path, `${folder}/out.png`)
    if (!/libpng error: .*profile/.test(said)) return bySharp(`${folder}/out.png`, 'png')
    await program('heif-convert', '-q', 100, path, `${folder}/out.jpg`)
    return bySharp(`${folder}/out.jpg`, 'jpg')
  })

/** Whether the major brand of an AVIF says sequence. ffmpeg reads sequences, libheif does not. */
const isSequence = async (path: string) => (await readFile(path)).subarray(8, 12).toString('latin1') === 'avis'

/** Reads Netpbm's pfm(5): rows of floats from bottom to top, little-endian if the scale is negative. */
const pfm: Reader = async (path) => {
  const bytes = await readFile(path)
  const header = /^PF\n(\d+) (\d+)\n(-?[\d.]+)\n/.exec(bytes.toString('latin1', 0, 100))
  if (!header) throw new Error('no PFM in colour')
  const [width, height, scale] = header.slice(1).map(Number) as [number, number, number]
  const data = Buffer.alloc(width * height * 4, 255)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let channel = 0; channel < 3; channel++) {
        const at = header[0].length + (((height - 1 - y) * width + x) * 3 + channel) * 4
        const light = scale < 0 ? bytes.readFloatLE(at) : bytes.readFloatBE(at)
        data[(y * width + x) * 4 + channel] = encoded(light)
      }
  return { width, height, data }
}

/** FFmpeg's demuxers by format. Otherwise FFmpeg would detect the format itself. */
const decoders = {
  jpg: 'mjpeg',
  png: 'png',
  bmp: 'bmp',
  tif: 'tiff',
  jxl: 'libjxl',
  tga: 'targa',
  pcx: 'pcx',
  ppm: 'ppm',
  pgm: 'pgm',
  pbm: 'pbm',
  pam: 'pam',
  pnm: 'ppm',
  xbm: 'xbm',
  sgi: 'sgi',
  ras: 'sunrast',
  xwd: 'xwd',
  dpx: 'dpx',
  dds: 'dds',
  qoi: 'qoi',
  jls: 'jpegls',
}

/** Readers other than the program that writes the format here, if possible. ffmpeg reads the rest. */
const readers: Readonly<Record<string, Reader>> = {
  ...Object.fromEntries(
    Object.entries(decoders).map(([format, decoder]) => [format, byFfmpeg('-f', 'image2', '-c:v', decoder)]),
  ),
  // HEIC: the system's libheif writes it; ImageMagick 7 in WebAssembly contains its own build.
  heic: byMagick7,
  hdr: byMagick7,
  pfm,
  miff: byMagick7,
  pict: byMagick7,
  wbmp: byNetpbm('wbmptopbm'),
  // ffmpeg loses greys, netpbm loses transparency.
  xpm: byMagick7,
  // ffmpeg reports the compressed rows of the writer as broken.
  psd: byMagick7,
  cur: byMagick7,
  ico: byMagick7,
  icns: largestIcns,
  jxr: by('tif', (input, output) => program('JxrDecApp', '-i', input, '-o', output)),
  exr: byFfmpeg('-f', 'image2', '-c:v', 'exr', '-apply_trc', 'iec61966_2_1'),
  avif: async (path, format) => ((await isSequence(path)) ? byFfmpeg('-f', 'mov') : byLibheif)(path, format),
  // Its own decoder, because OpenJPEG is the writer.
  jp2: byFfmpeg('-f', 'image2', '-c:v', 'jpeg2000'),
  apng: async (path, format) => {
    const frames = await declaredFrames(path)
    if (frames === undefined) throw new Error('a PNG without animation control')
    return byFfmpeg(...(frames > 1 ? ['-f', 'apng'] : ['-f', 'image2', '-c:v', 'png']))(path, format)
  },
  // ffmpeg cannot decode animated WebP.
  webp: bySharp,
  gif: byFfmpeg('-f', 'gif'),
  fits: byFfmpeg('-f', 'fits'),
}

/** Decodes the first page of a picture of `format`. Rejects if the file is not such a picture. */
export async function decode(path: string, format: string): Promise<Pixels> {
  const reader = readers[format]
  if (!reader) throw new Error(`no reader of ${format}`)
  return reader(path, format)
}
