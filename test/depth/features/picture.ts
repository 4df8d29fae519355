import { cameraRaw } from '../../../plugins/formats/raster/camera-raw.ts'
import { psnr } from '../../matrix/likeness.ts'
import type { Pixels } from '../../matrix/pixels.ts'
import type { Feature, Subject } from '../family.ts'
import { paperOf } from '../paper.ts'
import { alike, see, squared, tags } from '../sight.ts'
import { allNear, equal, instead, among as keptBy } from './compare.ts'
import { frames, pages } from './moving.ts'
import { words } from './words.ts'

/** Targets that consist of pixels. */
const rasters =
  `apng avif bmp cur dds dpx exr fits gif hdr heic icns ico jp2 jpg jxl jxr miff pam pbm pcx pfm pgm pict png
  ppm psd qoi ras sgi tga tif wbmp webp xbm xpm xwd`.split(/\s+/)
const icons = ['ico', 'icns', 'cur']
const films = ['mp4', 'webm', 'mov', 'mkv', 'avi']
const bilevel = ['pbm', 'xbm', 'wbmp']
const greys = [...bilevel, 'pgm', 'fits']

const among = (kept: readonly string[], others: 'dropped' | undefined = undefined) => keptBy(kept, others && rasters)

/** Pixels across and down, upright. Icons are squares. */
const size: Feature<{ width: number; height: number }> = {
  name: 'size',
  rule: among([...rasters.filter((format) => !icons.includes(format)), ...films]),
  read: async (subject) => {
    const { width, height } = await see(subject)
    return { width, height }
  },
  differs: (wanted, got, { format }) => {
    const slack = films.includes(format) ? 1 : 0
    const sides = ({ width, height } = { width: 0, height: 0 }) => [width, height]
    return allNear(sides(wanted), sides(got), () => slack) ? undefined : instead(sides(wanted), sides(got))
  },
}

/** The least likeness in dB by target, for what it can hold; 27 for others. Vectors are traced with few colours. */
const least: Readonly<Record<string, number>> = {
  gif: 24,
  xpm: 24,
  dds: 25,
  svg: 14,
  ...Object.fromEntries(bilevel.map((format) => [format, 9])),
  ...Object.fromEntries(films.map((format) => [format, 24])),
}

/** How it looks on white, upright and in sRGB. */
const look: Feature<Pixels> = {
  name: 'look',
  rule: among([...rasters, ...films, 'pdf', 'svg']),
  read: see,
  differs: async (wanted, got, { format, specimen }, source) => {
    const shown = icons.includes(format) ? await squared(wanted) : wanted
    const level = await alike(shown, got!, greys.includes(format))
    // Programs differ about the colours of inks without a profile.
    const { ColorComponents: inks, ProfileDescription: named } = specimen.from === 'jpg' ? await tags(source) : {}
    const likeness = specimen.truth?.likeness ?? (inks === 4 && !named ? 22 : 99)
    const floor = Math.min(least[format] ?? 27, Number(likeness))
    return level < floor ? `${level.toFixed(1)} dB, at least ${floor} wanted` : undefined
  },
}

/** Orientation that a reader would still have to apply, from EXIF. */
const orientation: Feature<number> = {
  name: 'orientation',
  rule: among(rasters),
  read: async (subject) => {
    const { Orientation: turn = 1 } = await tags(subject)
    return turn > 1 ? turn : undefined
  },
  differs: (_, got) => (got ? `orientation ${got} is left` : undefined),
}

/** Name of a colour profile other than sRGB, for red, green and blue. */
const profile: Feature<string> = {
  name: 'profile',
  rule: among(['jpg', 'png', 'webp', 'avif', 'tif'], 'dropped'),
  documented: 'other targets get sRGB',
  read: async (subject) => {
    const { ProfileDescription: name, ColorSpaceData: space = 'RGB' } = await tags(subject)
    return !name || /sRGB/i.test(name) || space.trim() !== 'RGB' ? undefined : name
  },
  differs: equal,
}

/** Bits of a channel, if more than 8. */
const depth: Feature<number> = {
  name: 'depth',
  // Raws keep it in the targets of editors only.
  rule: (from, to) =>
    among(cameraRaw.includes(from) ? ['tif', 'psd'] : ['png', 'tif', 'jp2', 'psd'], 'dropped')(from, to),
  documented: '16 bits in PNG, TIFF, PDF, JPEG 2000, PSD and JPEG XL',
  read: async (subject) => {
    // BMP counts the bits of a whole pixel.
    if (subject.format === 'bmp') return undefined
    const { BitsPerSample, BitDepth, BitsPerComponent } = await tags(subject)
    const bits = Number.parseInt(String(BitDepth ?? BitsPerSample ?? BitsPerComponent ?? 8), 10)
    return bits > 8 ? bits : undefined
  },
  differs: (_, got) => (got === 16 ? undefined : `${got ?? 8} bits`),
}

const clear = ['png', 'webp', 'avif', 'tif', 'heic', 'psd', 'tga', 'apng', 'qoi', 'miff', 'jxl', 'jp2', 'gif', 'xpm']

/** The alpha channel, at a quarter of the size, if any of it is below 250. */
const transparency: Feature<{ width: number; height: number; alpha: Buffer }> = {
  name: 'transparency',
  rule: among(clear, 'dropped'),
  documented: 'White behind it in formats without transparency',
  read: async (subject) => {
    const { width, height, data } = await see(subject)
    const alpha = Buffer.from(data.filter((_, at) => at % 4 === 3))
    return alpha.some((level) => level < 250) ? { width, height, alpha } : undefined
  },
  differs: (wanted, got, { format }) => {
    if (!got) return 'nothing is transparent'
    if (got.alpha.length !== wanted.alpha.length) return undefined
    // Palettes have one transparent colour.
    const hard = format === 'gif' || format === 'xpm'
    const cut = (alpha: Buffer) => (hard ? Buffer.from(alpha.map((level) => (level < 128 ? 0 : 255))) : alpha)
    const level = psnr(cut(wanted.alpha), cut(got.alpha))
    return level < (hard ? 15 : 30) ? `alpha at ${level.toFixed(1)} dB` : undefined
  },
}

type Pair = readonly [across: number, down: number]

/** Dots an inch of the upright picture, if more than what programs write that know none. */
export async function dotsOf(subject: Subject): Promise<Pair | undefined> {
  const found = await tags(subject)
  const metres = [found.PixelsPerUnitX ?? found.PixelsPerMeterX, found.PixelsPerUnitY ?? found.PixelsPerMeterY]
  const unit = found.ResolutionUnit === 3 ? 2.54 : 1
  const [x, y] = metres[0]
    ? [metres[0] * 0.0254, metres[1] * 0.0254]
    : [found.XResolution * unit, found.YResolution * unit]
  // ExifTool reads one byte of the two in PCX.
  if (!(x > 26) || subject.format === 'pcx') return undefined
  return found.Orientation >= 5 ? [y, x] : [x, y]
}

const resolution: Feature<Pair> = {
  name: 'resolution',
  // What raws tell has no meaning, and icons and PICT have 72 dots always.
  rule: (from, to) =>
    ['png', 'jpg', 'tif', 'bmp', 'psd'].includes(to) && ![...cameraRaw, 'pict'].includes(from) ? 'kept' : undefined,
  read: dotsOf,
  differs: (wanted, got) => (allNear(wanted, got, () => 1) ? undefined : instead(wanted, got, ' dpi')),
}

/** Size on paper in inches. Without a resolution, 96 dots an inch. */
const paper: Feature<Pair> = {
  name: 'paper',
  rule: keptBy(['pdf']),
  read: async (subject) => {
    if (subject.format === 'pdf') return paperOf(subject.path)
    const [{ width, height }, [x, y] = [96, 96]] = await Promise.all([see(subject), dotsOf(subject)])
    return [width / x, height / y]
  },
  differs: (wanted, got) => (allNear(wanted, got, () => 0.02) ? undefined : instead(wanted, got, ' inches')),
}

/** What people write into pictures: who made it, when and where. */
const metadata: Feature<Readonly<Record<string, unknown>>> = {
  name: 'metadata',
  // DPX has fields of its own.
  rule: (from, to) =>
    from === 'dpx'
      ? undefined
      : among(['jpg', 'png', 'webp', 'avif', 'heic', 'tif', 'jxl', 'jp2', 'psd'], 'dropped')(from, to),
  documented: 'EXIF, XMP and IPTC stay in',
  read: async (subject) => {
    const found = await tags(subject)
    const names = ['Artist', 'Copyright', 'DateTimeOriginal', 'GPSLatitude', 'Make', 'ImageDescription']
    const told = names.filter((name) => found[name] !== undefined).map((name) => [name, found[name]] as const)
    return told.length > 0 ? Object.fromEntries(told) : undefined
  },
  differs: (wanted, got = {}, { paged }) => {
    if (paged) return undefined
    const lost = Object.keys(wanted).filter((name) => String(got[name]) !== String(wanted[name]))
    return lost.length > 0 ? `${lost.join(', ')} ${lost.length > 1 ? 'are' : 'is'} lost` : undefined
  },
}

/** Features of pictures. */
export const pictureFeatures: readonly Feature[] = [
  size,
  look,
  orientation,
  profile,
  depth,
  transparency,
  resolution,
  paper,
  metadata,
  frames,
  pages,
  words,
]
