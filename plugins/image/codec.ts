import type { Engine, Job, Run } from '../../kernel/contract.ts'
import type { ImageOptions } from './options.ts'

/** What a decoder is asked for. */
export interface Wanted {
  /** Folder, made already, for the pages: `001.png`, `002.png` … or names that sort in page order, numbers as numbers. */
  folder: string
  /** The first page alone, or all of them. */
  pages: 'first' | 'all'
  /** Box in pixels that the picture will be fitted into: a drawing is rendered at the resolution that fills it. */
  width?: number
  height?: number
}

/** Makes pictures that sharp reads out of a source that it does not read. */
export interface Decoder {
  engine: Engine
  needs?: readonly string[]
  uses?: readonly Engine[]
  from: readonly string[]
  /** Whether a source may hold several pages. Default false. */
  paged?: boolean
  /** The folder holds one picture in several sizes: the largest is meant. Default false. */
  largest?: boolean
  /** With all pages wanted, the folder holds one WebP or APNG, with all frames of an animated source. Default false. */
  animated?: boolean
  decode: (job: Job<ImageOptions>, run: Run, wanted: Wanted) => Promise<unknown>
}

/** One picture on its way to a target that sharp does not write. */
export interface Picture {
  /** An upright sRGB PNG, resized already; 16 bits a channel only when the encoder says `deep`. */
  input: string
  output: string
  /** Pixels. */
  width: number
  height: number
  alpha: boolean
  /** 1 to 100; undefined: the encoder's own way. */
  quality: number | undefined
  lossless: boolean
  /** An animated PNG: its frames, and the milliseconds that the last one is shown. */
  animation?: { frames: number; last: number }
}

/** Makes one file of a target format out of one picture. */
export interface Encoder {
  engine: Engine
  needs?: readonly string[]
  uses?: readonly Engine[]
  to: readonly string[]
  /** The target holds no transparency: the picture comes flattened on white. Default false. */
  opaque?: boolean
  /** The target holds 16 bits a channel. Default false. */
  deep?: boolean
  /** Pixels a side that the target holds at most; larger pictures are shrunk. */
  side?: number
  encode: (job: Job<ImageOptions>, run: Run, picture: Picture) => Promise<unknown>
}
