/** Pixels of one picture, or of all frames of an animation together: sharp's own default. */
export const maxPixels = 268_402_689

/** What one run of the worker does: its only argument, as JSON. All paths are the sandbox's own. */
export type Spec = Convert | Inspect | Folder | Discard | Zip | Sizes | Smaller

/** Makes one file, or one file a page, out of what sharp reads. Answers with lines of {@link Facts}. */
export interface Convert {
  task: 'convert'
  /** A file, or a folder whose files are the pages in the order of their names. */
  input: string
  /** The file's format by extension, or that of all files of the folder. */
  from: string
  /** Which pages of a file or folder that has several; `largest` is the one with the most pixels. */
  pages: 'first' | 'all' | 'largest'
  /** Whether the frames of an animation stay together; otherwise its first frame stands for it. */
  animate: boolean
  /** An AVIF sequence whose delays the frames have, instead of those in `input`. */
  timing?: string | undefined
  to: Target
  /** Where a single page goes; without it, every page goes to `folder`. */
  output?: string
  /** Folder, made when missing, for pages that are one file each: `001.png`, `002.png` … */
  folder: string
  /** Where several pages go together, as `name-001.jpg`, `name-002.jpg` … */
  zip?: { output: string; name: string }
  /** Pixels of the box that each page is fitted into. A drawing is rendered as large as the box. */
  box: { width?: number | undefined; height?: number | undefined; fit: Fit }
  /** Pixels a side that the result has at most. */
  side?: number | undefined
  /** Flattens transparency on white. */
  opaque: boolean
  /** Keeps 16 bits a channel of a source that has them. */
  deep: boolean
  /** Keeps the pixels in the source's RGB space with its profile, when that is not sRGB. */
  profile: boolean
  /** Leaves EXIF, XMP, IPTC and comments out. */
  strip: boolean
  encoding: Encoding
}

export type Target = 'jpg' | 'png' | 'webp' | 'avif' | 'gif' | 'tif' | 'apng'

/** As sharp's, but inside and outside never enlarge. */
export type Fit = 'inside' | 'cover' | 'contain' | 'fill' | 'outside'

export interface Encoding {
  /** 1 to 100; undefined: png without a palette, tif without loss. */
  quality?: number | undefined
  lossless?: boolean | undefined
  progressive?: boolean | undefined
  /** Bytes that all results together have at most: `quality` is then the ceiling of a search. */
  limit?: number | undefined
  /** The quickest encoding, for pages that another program reads next. */
  draft?: boolean | undefined
}

/** Answers with a line `{"look":…}` on a file, or the first of a folder. */
export interface Inspect {
  task: 'look'
  input: string
}

/** Makes a folder. */
export interface Folder {
  task: 'folder'
  output: string
}

export interface Look {
  pages: number
  /** As EXIF has it, 1 to 8. */
  orientation: number
  /** Colour space and type of the samples, in libvips' words. */
  space: string
  depth: string
  /** Whether it has a colour profile that is not sRGB. */
  foreign: boolean
  /** WebP and AVIF: whether they were encoded without loss. */
  lossless: boolean
  /** Whether it is an animation, also a PNG that is one under the name of a still one. */
  moving: boolean
}

/** Removes folders and what is in them: a process that leaves nothing behind can serve again. */
export interface Discard {
  task: 'discard'
  folders: readonly string[]
}

/** Puts files into one zip, as `name-001.ext`, `name-002.ext` … */
export interface Zip {
  task: 'zip'
  files: readonly string[]
  name: string
  output: string
}

/** Answers with a line `{"sizes":[…]}`, in bytes. */
export interface Sizes {
  task: 'sizes'
  files: readonly string[]
}

/** Makes `output` the smallest of the files; the first of equals wins, missing ones do not take part. */
export interface Smaller {
  task: 'smaller'
  files: readonly string[]
  output: string
}

/** What a conversion made, page by page; long lists come in several lines. */
export interface Facts {
  pages: Fact[]
}

/**
 * Pixels across and down; 1 when there is an alpha channel; 1 when its source had EXIF, 2 when that could not be read;
 * bytes; of an apng its frames, and the milliseconds of the last one.
 */
export type Fact = [
  width: number,
  height: number,
  alpha: 0 | 1,
  exif: Exif,
  size: number,
  frames?: number,
  last?: number,
]
export type Exif = 0 | 1 | 2

/** Name of a page's file in its folder; pages count from 0. The names sort in page order, numbers as numbers. */
export const pageFile = (page: number, extension: string) => `${String(page + 1).padStart(3, '0')}.${extension}`

/** Bytes that a zip takes besides its files, at most: headers, the name twice, extra fields, and the end. */
export function zipOverhead(name: string, files: number): number {
  const entry = Buffer.byteLength(name) + 16
  return 128 + files * (2 * entry + 30 + 46 + 64)
}
