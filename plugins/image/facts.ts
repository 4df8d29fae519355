import type { Picture } from '../../engines/ffmpeg/media.ts'
import type { Exif, Frames } from '../../engines/programs/sharp/spec.ts'
import type { Job, Step } from '../../kernel/contract.ts'
import type { ImageOptions } from './options.ts'
import type { Size } from './resolution.ts'

/** Facts that the steps of this category share. */
export interface ImageFacts {
  /** Whether sharp found EXIF in the source. */
  exif: Exif
  /** Frames of an animation that sharp unfolded. */
  frames: Frames
  /** The source has an alpha channel, and frames that a still picture does not have. */
  clear: boolean
  stilled: boolean
  /** A sequence has a high dynamic range. */
  hdr: boolean
  /** Maximum number of frames to decode. */
  maxFrames: number
  /** Sizes of the first pages of a document. */
  sizes: Size[]
  /** FFmpeg's name of a film's format, its seconds, its picture, and its other streams. */
  movie: { demuxer: string; seconds: number | undefined; video: Picture; others: readonly string[] }
  /** The film is so long that it is work for the heavy lane. */
  long: boolean
  /** EXIF orientation, 1 to 8. */
  orientation: number
  /** The pixels must be turned, because the tag that says so goes. */
  turn: boolean
  /** The first encoding was lossless. */
  lossless: boolean
  /** An AVIF or JPEG XL has a high dynamic range. */
  bright: boolean
  /** Numbers of the transfer function and the primaries of a JPEG XL of high dynamic range. */
  colours: readonly number[]
  /** The client asked for other pixels. */
  asked: boolean
  /** A second encoding can save something, and loses nothing. */
  worth: boolean
  /** Colours are CMYK. */
  ink: boolean
  /** libtiff turned luma and chroma into red, green and blue. */
  chroma: boolean
  /** Luma and chroma have the same size. */
  fullChroma: boolean
  /** Which pages have one bit per pixel, in the order of the file. */
  bilevel: readonly boolean[]
  /** Samples are density, as on film. */
  film: boolean
  /** How the planes of a FITS file become a picture. */
  planes: 'wide' | 'colours' | 'gray'
  /** How the samples of a JPEG XL file are decoded. */
  samples: 'plain' | 'scaled' | 'elsewhere'
}

export type ImageJob = Job<ImageOptions>
export type ImageStep = Step<ImageOptions, ImageFacts>
