import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { magick, program } from '../fixtures/program.ts'
import { withFolder } from '../harness/folder.ts'
import { byFfmpeg, decode, pixelsOf } from '../matrix/decode.ts'
import { psnr } from '../matrix/likeness.ts'
import type { Pixels } from '../matrix/pixels.ts'
import type { Subject } from './family.ts'

/** Reads something of a file once, however many features ask. */
export function once<Value>(read: (subject: Subject) => Promise<Value>): (subject: Subject) => Promise<Value> {
  const known = new WeakMap<Subject, Promise<Value>>()
  return (subject) => {
    const value = known.get(subject) ?? read(subject)
    known.set(subject, value)
    return value
  }
}

/** Whether it is the specimen, and not a result. */
export const isSource = ({ converted }: Subject) => !converted

/** Dots an inch at which the service renders drawings and pages, and at which they are seen here. */
export const density = 150

/** Tags as ExifTool prints them as numbers, without groups: the first of several with one name. */
export const tags = once(
  async (subject): Promise<Record<string, any>> =>
    firstPage(subject, async (path) => {
      const printed = await program('exiftool', '-j', '-n', '-FILE:all', '-all:all', path)
      return (JSON.parse(printed.toString()) as Record<string, any>[])[0]!
    }),
)

/** Calls `use` with the file, or the first page of a zip. */
export function firstPage<Value>({ path, paged }: Subject, use: (path: string) => Promise<Value>): Promise<Value> {
  if (!paged) return use(path)
  return withFolder(async (folder) => {
    await program('unzip', '-q', path, '-d', folder)
    const [name] = (await program('unzip', '-Z1', path)).toString().trim().split('\n')
    return use(join(folder, name!))
  })
}

const srgb = '/usr/share/color/icc/ghostscript/srgb.icc'

/** ImageMagick applies profiles. It reads inks as well. */
const managed = async (path: string, format: string, profiled: boolean): Promise<Pixels> =>
  pixels(await magick(`${format}:${path}[0]`, ...(profiled ? ['-profile', srgb] : []), 'PNG32:-'))

/** Where a pixel of the upright picture comes from, by EXIF orientation; `r` and `b` are the last column and row. */
const origins: Readonly<Record<number, (x: number, y: number, r: number, b: number) => readonly [number, number]>> = {
  2: (x, y, r) => [r - x, y],
  3: (x, y, r, b) => [r - x, b - y],
  4: (x, y, _, b) => [x, b - y],
  5: (x, y) => [y, x],
  6: (x, y, _, b) => [y, b - x],
  7: (x, y, r, b) => [r - y, b - x],
  8: (x, y, r) => [r - y, x],
}

function upright({ width: across, height: down, data: stored }: Pixels, turn: number): Pixels {
  const origin = origins[turn]
  if (!origin) return { width: across, height: down, data: stored }
  const [width, height] = turn >= 5 ? [down, across] : [across, down]
  const data = Buffer.alloc(stored.length)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [column, row] = origin(x, y, across - 1, down - 1)
      data.writeUInt32LE(stored.readUInt32LE((row * across + column) * 4), (y * width + x) * 4)
    }
  return { width, height, data }
}

const pixels = (picture: Buffer | string) => pixelsOf(sharp(picture, { limitInputPixels: 2 ** 27 }))

const byGhostscript = (path: string, format: string) =>
  withFolder(async (folder) => {
    const crop = format === 'eps' ? ['-dEPSCrop'] : []
    const smooth = ['-dTextAlphaBits=4', '-dGraphicsAlphaBits=4']
    const device = ['-sDEFAULTPAPERSIZE=a4', '-sDEVICE=png16m', `-r${density}`, '-dFirstPage=1', '-dLastPage=1']
    const target = [...device, ...crop, ...smooth, '-o', `${folder}/page.png`]
    await program('gs', '-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', ...target, path)
    return pixels(`${folder}/page.png`)
  })

const byPoppler = (path: string) =>
  withFolder(async (folder) => {
    await program('pdftoppm', '-r', density, '-png', '-f', 1, '-l', 1, '-singlefile', path, join(folder, 'page'))
    return pixels(join(folder, 'page.png'))
  })

const byInkscape = (path: string, format: string) =>
  withFolder(async (folder) => {
    await writeFile(join(folder, `in.${format}`), await readFile(path))
    const target = ['--export-type=png', `--export-dpi=${density}`, `--export-filename=${folder}/out.png`]
    await program('inkscape', ...target, join(folder, `in.${format}`))
    return pixels(join(folder, 'out.png'))
  })

const films = ['mp4', 'webm', 'mov', 'mkv', 'avi']
const profiled = ['jpg', 'png', 'tif', 'webp']

/**
 * Returns the first page as other programs than the writer see it: upright, in sRGB, drawings and pages at `density`.
 * Specimens of formats that none of
 * them reads state what they show.
 */
export const see = once(async (subject): Promise<Pixels> => {
  const { format, specimen } = subject
  if (isSource(subject) && specimen.truth?.look) return (specimen.truth.look as () => Promise<Pixels>)()
  const { Orientation: turn = 1, ProfileDescription: profile } = profiled.includes(format) ? await tags(subject) : {}
  return firstPage(subject, async (path) => {
    if (format === 'svg' || format === 'svgz')
      return isSource(subject) ? byInkscape(path, format) : pixels(await rendered(path))
    if (format === 'pdf' || format === 'ai') return isSource(subject) ? byGhostscript(path, format) : byPoppler(path)
    if (format === 'eps' || format === 'ps') return byGhostscript(path, format)
    if (films.includes(format)) return byFfmpeg()(path, format)
    const cmyk = format === 'jpg' || format === 'tif' ? (await sharp(path).metadata()).space === 'cmyk' : false
    const seen = await (profile || cmyk ? managed(path, format, Boolean(profile)) : decode(path, format))
    return upright(seen, turn)
  })
})

const rendered = async (path: string) =>
  program('rsvg-convert', '--dpi-x', 96, '--dpi-y', 96, '--zoom', density / 96, '--format', 'png', path)

/** On white. */
export const flat = ({ width, height, data }: Pixels) =>
  sharp(data, { raw: { width, height, channels: 4 } }).flatten({ background: '#fff' })

/** Scales to a quarter, on white; at that size, dithering and ringing average out. */
async function shrunk(picture: Pixels, box: { width: number; height: number }, grey: boolean) {
  return (grey ? flat(picture).grayscale() : flat(picture))
    .resize({ ...box, fit: 'fill', kernel: 'linear' })
    .raw()
    .toBuffer()
}

/** Returns the PSNR in dB of two pictures, both on white and at a quarter of the size of the first; at most 99. */
export async function alike(one: Pixels, other: Pixels, grey = false): Promise<number> {
  const quarter = (side: number) => Math.max(1, Math.min(512, Math.round(side / 4)))
  const box = { width: quarter(one.width), height: quarter(one.height) }
  return psnr(await shrunk(one, box, grey), await shrunk(other, box, grey))
}

/** Puts a picture into the middle of a white square. */
export const squared = (picture: Pixels) => {
  const side = Math.max(picture.width, picture.height)
  return pixelsOf(flat(picture).resize(side, side, { fit: 'contain', background: '#fff' }))
}
