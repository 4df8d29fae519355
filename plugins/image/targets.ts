import type { Holds, Target } from '../../engines/programs/sharp/spec.ts'
import type { Job } from '../../kernel/contract.ts'

/** What a target format can hold, and how it is written. */
export interface TargetTraits extends Holds {
  /** The worker of sharp writes it. Default: a writer does, from a PNG of each page. */
  native?: true
  /** What writes its animations. Default: it shows the first frame only. */
  frames?: 'sharp' | 'ffmpeg'
  /** It has EXIF: `written` by its encoder, or `copied` into the result by ExifTool. Default: it has none. */
  exif?: 'written' | 'copied'
  /** Quality, 1 to 100, at which it is encoded unless the client gives another. */
  quality?: number
  /** `quality` makes a palette of fewer colours. */
  palette?: true
  /** A size can be requested: a lower quality makes a smaller file. */
  sized?: true
  /** It can be encoded without loss, and with loss. */
  lossless?: true
  /** It can be progressive or interlaced. */
  progressive?: true
  /** Quality at which a second encoding of a lossy picture is not visible. */
  reencodeQuality?: number
  /** A photograph takes seconds to encode. */
  slow?: true
}

/** Pixels a side that ImageMagick may read and write here (engines/imagemagick/policy.xml). */
const MAGICK = 65_535

/** Every target of the category. All that is specific to one is here, and the arguments of its encoder. */
export const targets: Readonly<Record<string, TargetTraits>> = {
  jpg: {
    native: true,
    opaque: true,
    profile: true,
    grey: true,
    maxSide: 65_500,
    exif: 'written',
    quality: 82,
    sized: true,
    progressive: true,
  },
  png: { native: true, deep: true, profile: true, grey: true, exif: 'written', palette: true, progressive: true },
  webp: {
    native: true,
    profile: true,
    maxSide: 16_383,
    frames: 'sharp',
    exif: 'written',
    quality: 80,
    sized: true,
    lossless: true,
    reencodeQuality: 85,
  },
  avif: {
    native: true,
    profile: true,
    maxSide: 16_384,
    frames: 'ffmpeg',
    exif: 'written',
    quality: 55,
    sized: true,
    lossless: true,
    reencodeQuality: 75,
    slow: true,
  },
  gif: { native: true, maxSide: 65_535, frames: 'sharp', progressive: true, slow: true },
  tif: { native: true, deep: true, profile: true, grey: true, exif: 'copied' },
  apng: { native: true, frames: 'sharp' },
  heic: { exif: 'written', quality: 55, sized: true, lossless: true, slow: true },
  // Beside 16 bits, cjxl 0.7 writes alpha that djxl does not read.
  jxl: { deep: 'opaque', exif: 'copied', quality: 85, sized: true, lossless: true, slow: true },
  jp2: { deep: true, exif: 'copied', quality: 50, sized: true, lossless: true, slow: true },
  jxr: { quality: 85 },
  qoi: {},
  exr: { deep: true },
  ico: { maxSide: 256, shrinks: true },
  cur: { maxSide: 256, shrinks: true },
  icns: { maxSide: 1024, shrinks: true },
  psd: { maxSide: 30_000, deep: true, exif: 'copied' },
  bmp: { maxSide: MAGICK },
  tga: { maxSide: MAGICK },
  dds: { maxSide: MAGICK },
  xpm: { maxSide: MAGICK },
  sgi: { maxSide: MAGICK },
  miff: { maxSide: MAGICK },
  pam: { maxSide: MAGICK, deep: true },
  pcx: { maxSide: MAGICK, opaque: true },
  ras: { maxSide: MAGICK, opaque: true },
  xwd: { maxSide: MAGICK, opaque: true },
  pict: { maxSide: 32_767, opaque: true },
  ppm: { maxSide: MAGICK, opaque: true, deep: true },
  dpx: { maxSide: MAGICK, opaque: true, deep: true },
  hdr: { maxSide: MAGICK, opaque: true, deep: true },
  pfm: { maxSide: MAGICK, opaque: true, deep: true },
  pgm: { maxSide: MAGICK, opaque: true, deep: true },
  fits: { maxSide: MAGICK, opaque: true, deep: true },
  pbm: { maxSide: MAGICK, opaque: true },
  xbm: { maxSide: MAGICK, opaque: true },
  wbmp: { maxSide: MAGICK, opaque: true },
}

/** The targets with a trait. */
export const targetsWith = (has: (traits: TargetTraits) => unknown) =>
  Object.keys(targets).filter((to) => has(targets[to]!))

/** Traits of a target. */
export const traitsOf = (to: string): TargetTraits => targets[to] ?? {}

/** Targets that the worker of sharp writes. */
export const writable = targetsWith(({ native }) => native) as readonly Target[]

/** Whether a target can be an animation. */
export const moves = (to: string) => traitsOf(to).frames !== undefined

/** Quality of a job's result, 1 to 100: the client's or that of its target, which has one. */
export const qualityOf = ({ to, options }: Pick<Job<{ quality?: number }>, 'to' | 'options'>): number =>
  options.quality ?? traitsOf(to).quality ?? 100
