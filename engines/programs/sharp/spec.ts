/** Most pixels of one picture, or of all frames of an animation together. sharp's default. */
export const maxPixels = 268_402_689

/** The task of one run of the worker: its only argument, as JSON. Paths are those inside the sandbox. */
export type Spec = Convert | Paper | Inspect | Discard | Zip | Sizes | Smaller

/** Makes one file, or one file per page. Answers with `pages`. */
export interface Convert {
  task: 'convert'
  /** A file, or a folder with one file per page, ordered by name. */
  input: string
  /** Extension of the format of the file, or of all files in the folder. */
  from: string
  /** Which pages to convert. `largest` is the one with the most pixels. */
  pages: 'first' | 'all' | 'largest'
  /** Whether to draw SVG without its text along paths, instead of refusing it. */
  lossy?: boolean | undefined
  /** Whether to keep all frames of an animation; otherwise only the first. */
  animate: boolean
  /** An AVIF sequence from which to take the delays, instead of `input`. */
  timing?: string | undefined
  to: Target
  /** File for a single page. Without it, every page goes to `folder`. */
  output?: string
  /** Folder for pages that become one file each: `001.png`, `002.png`, … It is created if it is missing. */
  folder: string
  /** Zip for several pages, as `name-001.jpg`, `name-002.jpg`, … */
  zip?: { output: string; name: string }
  /** Box in pixels that each page is fitted into. Drawings are scaled up to the box. */
  box: { width?: number | undefined; height?: number | undefined; fit: Fit }
  /** What the target can hold. */
  holds: Holds
  /** Whether to remove EXIF, XMP, IPTC and comments. */
  strip: boolean
  encoding: Encoding
}

/** What a target format can hold. */
export interface Holds {
  /** It has no transparency: pictures are flattened on white. Default false. */
  opaque?: boolean
  /** It holds 16 bits per channel; `opaque`: only without alpha. Default false. */
  deep?: boolean | 'opaque'
  /** It holds a colour space and profile of RGB. Default: colours become sRGB. */
  profile?: boolean
  /** Pictures without colours have one channel in it. Default: they become sRGB. */
  grey?: boolean
  /** Maximum number of pixels per side. Default: none. */
  maxSide?: number
  /** The target, if another program writes it from what the worker makes. Default: what the worker makes. */
  format?: string
  /** Larger pictures are scaled down. Default: they are refused. */
  shrinks?: boolean
}

/** How a source is opened. */
export type Opening = Pick<Convert, 'from' | 'input' | 'lossy' | 'pages' | 'animate' | 'timing' | 'box'>

/** Makes a PDF, each picture on a page of its size. Answers with progress. */
export interface Paper {
  task: 'paper'
  input: string
  from: string
  output: string
  /** Chroma subsampling of JPEG, for sources that have lost detail already. Default: no loss. */
  jpeg?: '4:2:0' | '4:4:4' | undefined
  /** Whether to remove EXIF, XMP, IPTC and comments from what is not encoded again. */
  strip: boolean
}

export type Target = 'jpg' | 'png' | 'webp' | 'avif' | 'gif' | 'tif' | 'apng'

/** As in sharp, but `inside` and `outside` never enlarge. */
export type Fit = 'inside' | 'cover' | 'contain' | 'fill' | 'outside'

export interface Encoding {
  /** 1 to 100. Undefined: png without a palette; tif, which has none; with `limit`, 100. */
  quality?: number | undefined
  lossless?: boolean | undefined
  progressive?: boolean | undefined
  /** Most bytes of all results together. The worker then searches the best quality, up to `quality`. */
  limit?: number | undefined
  /** How many pages the job has, if several. They share its time. */
  pages?: number | undefined
  /** Whether to encode as fast as possible, for pages that another program reads next. */
  draft?: boolean | undefined
}

/** Answers with `look` about a file, or the first file of a folder. */
export interface Inspect {
  task: 'look'
  input: string
}

export interface Look {
  pages: number
  /** EXIF orientation, 1 to 8. */
  orientation: number
  /** Colour space and sample type, in libvips' terms. */
  space: string
  depth: string
  /** Whether it has a colour profile that is not sRGB. */
  foreign: boolean
  /** Whether a WebP or AVIF is lossless. */
  lossless: boolean
  /** Whether it is an animation, also an animated PNG named `.png`. */
  moving: boolean
  /** Whether an AVIF has a high dynamic range. */
  bright: boolean
}

/** Deletes folders with their content. A process that leaves nothing behind can be reused. */
export interface Discard {
  task: 'discard'
  folders: readonly string[]
}

/** Puts files into one zip, as `name-001.ext`, `name-002.ext`, … */
export interface Zip {
  task: 'zip'
  files: readonly string[]
  name: string
  output: string
}

/** Answers with `sizes`, in bytes. */
export interface Sizes {
  task: 'sizes'
  files: readonly string[]
}

/** Copies the smallest of the files to `output`: the first of equal ones. Missing files are ignored. */
export interface Smaller {
  task: 'smaller'
  files: readonly string[]
  output: string
}

/** One line of the worker's answer, as JSON. */
export interface Answer {
  /** Results of a conversion. Long lists come in several lines. */
  pages?: ConvertedPage[]
  look?: Look
  sizes?: number[]
  /** Fraction done, 0 to 1. */
  progress?: number
}

/** One file that a conversion made. */
export interface MadePage {
  /** Pixels. */
  width: number
  height: number
  alpha: boolean
  /** Whether the source had EXIF. */
  exif: Exif
  /** Of an animated PNG. */
  frames?: Frames
}

/** A page with what it was made of, as far as the header of that told. */
export interface ConvertedPage extends MadePage {
  source: {
    /** Pixels, after rotation. */
    width: number
    height: number
    alpha: boolean
    /** Frames; undefined: one, or unknown. */
    frames?: number | undefined
    /** Frames of the result; undefined: one. */
    kept?: number | undefined
  }
}

export interface Frames {
  count: number
  /** Milliseconds of the last one. */
  last: number
}

export type Exif = 'none' | 'found' | 'unknown'

/** File name of a page, counted from 0. Sorted numerically, the names are in page order. */
export const pageFile = (page: number, extension: string) => `${String(page + 1).padStart(3, '0')}.${extension}`

/** Bytes that a zip takes besides its files, at most: headers, the name twice, extra fields, and the end. */
export function zipOverhead(name: string, files: number): number {
  const entry = Buffer.byteLength(name) + 16
  return 128 + files * (2 * entry + 30 + 46 + 64)
}
