import type { Engine, Step } from '../../kernel/contract.ts'
import type { ImageOptions } from './options.ts'

/**
 * Steps that make pictures that sharp reads out of a source that it does not. They write into the folder `decoded/`:
 * one file, or several in the order of their names, in which numbers count as numbers.
 */
export interface Reader {
  from: readonly string[]
  steps: readonly Step<ImageOptions>[]
  /** The engine that the catalogue shows. Default: that of the first step. */
  engine?: Engine
  /** Which files of the folder are meant: `all`, a page each, or the `largest`. Default: the first. */
  pages?: 'all' | 'largest'
  /** For a target that moves, the file is a WebP or APNG with all frames of the source. Default false. */
  moving?: boolean
  /** Only the source tells how long its frames are shown, as an AVIF sequence. Default false. */
  timed?: boolean
}

/**
 * Steps that make one file of a target format out of each page, which is an upright sRGB PNG of the right size. They
 * write `results/%03d.{to}`.
 */
export interface Writer {
  to: readonly string[]
  steps: readonly Step<ImageOptions>[]
  /** The engine that the catalogue shows. Default: that of the first step. */
  engine?: Engine
  /** The target holds no transparency: pages come flattened on white. Default false. */
  opaque?: boolean
  /** The target holds 16 bits a channel. Default false. */
  deep?: boolean
  /** Pixels a side that the target holds at most; larger pictures are shrunk. */
  side?: number
}

/** Where writers put the files of all pages. */
export const eachPage = { each: 'page', output: 'results/%03d.{to}' } as const
