import type { Engine } from '../../kernel/contract.ts'
import type { ImageStep } from './facts.ts'

/**
 * Steps that convert a source that sharp cannot read to pictures that it can. They write into the folder `decoded/`:
 * one file, or several that sort by name, with numbers in numeric order.
 */
export interface Reader {
  from: readonly string[]
  steps: readonly ImageStep[]
  /** Engine shown in the catalogue. Default: that of the first step. */
  engine?: Engine
  /** Which files of the folder count: `all`, one per page, or the `largest`. Default: the first. */
  pages?: 'all' | 'largest'
  /** The source is SVG, or this file, and is drawn without its text along paths. */
  drawing?: 'source' | string
  /** For an animated target, the file is a WebP or APNG with all frames of the source. Default false. */
  moving?: boolean
  /** The source has the right frame durations, as in an AVIF sequence. Default false. */
  timed?: boolean
  /** The pictures have the EXIF and XMP of the source. Default false. */
  described?: boolean
}

/**
 * Steps that make one file of a target format from each page, which is an upright sRGB PNG of the right size with
 * nothing that the target cannot hold. They write `results/%03d.{to}`.
 */
export interface Writer {
  to: readonly string[]
  steps: readonly ImageStep[]
  /** Engine shown in the catalogue. Default: that of the first step. */
  engine?: Engine
}

/** Folder for the files of all pages. */
export const eachPage = { each: 'page', output: 'results/%03d.{to}' } as const
