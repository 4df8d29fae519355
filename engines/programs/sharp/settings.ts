import type { Metadata, Sharp } from 'sharp'
import { usual } from './resolution.ts'
import type { Picture } from './source.ts'
import type { Convert, Encoding } from './spec.ts'

/** Adds the encoder of the target to a pipeline. `pixels` is the total of all frames. */
export function settled(image: Sharp, picture: Picture, spec: Convert, pixels: number): Sharp {
  const { meta, animation } = picture
  const { lossless = false, progressive = false, draft, pages = 1 }: Encoding = spec.encoding
  const { quality = 100 } = spec.encoding
  const frames = animation && { delay: animation.delay, loop: animation.loop }
  if (spec.to === 'jpg') return image.jpeg(jpeg(quality, progressive))
  if (spec.to === 'webp')
    return image.webp({ quality, lossless, exact: lossless, effort: pixels > 4e6 ? 2 : 4, ...frames })
  if (spec.to === 'avif') return image.avif(avif(quality, lossless, pixels, pages))
  if (spec.to === 'gif')
    return image.gif({ progressive, effort: pixels > 5e5 ? 3 : 7, keepDuplicateFrames: true, ...frames })
  if (spec.to === 'tif') return tif(image, picture, bilevel(meta) && !spec.box.width && !spec.box.height)
  if (draft) return image.png({ compressionLevel: 1 })
  return spec.encoding.quality ? image.png({ palette: true, quality, progressive }) : image.png({ progressive })
}

/** Halves the colour resolution, which is invisible, unless high quality was asked for. */
const jpeg = (quality: number, progressive: boolean) =>
  ({ quality, progressive, chromaSubsampling: quality < 90 ? '4:2:0' : '4:4:4' }) as const

export const bilevel = ({ bitsPerSample, channels, space }: Metadata) =>
  bitsPerSample === 1 && channels === 1 && space === 'b-w'

/** Fax compression for black-and-white scans. A TIFF must tell its resolution, in pixels per millimetre here. */
const tif = (image: Sharp, picture: Picture, fax: boolean) => {
  const { x, y } = upright(picture) ?? { x: usual, y: usual }
  const dots = { xres: x / 25.4, yres: y / 25.4 }
  return image.tiff(fax ? { compression: 'ccittfax4', bitdepth: 1, ...dots } : { compression: 'lzw', ...dots })
}

/** The resolution of a picture after it is turned upright. */
export const upright = ({ meta, resolution }: Picture) =>
  resolution && (meta.orientation ?? 1) >= 5 ? { x: resolution.y, y: resolution.x } : resolution

/**
 * Pixels of all pages from which AVIF gets effort 1, and 0. A page of text at 150 dpi has 2 million; effort 3 takes 1.2
 * s for it, effort 1 takes 0.4 s at 12 % more bytes, effort 0 takes 0.15 s.
 */
const MANY = 20e6
const MAX = 250e6

/**
 * The default effort, 4, takes four times as long as 3 and saves 5 % of the size. Large pictures are photographs:
 * cameras already halve their colour resolution. With less effort they take a twentieth of the time, and a quality 4
 * lower keeps the same size, at a loss of 0.2 dB.
 */
export const avif = (quality: number, lossless: boolean, pixels: number, pages: number) => {
  if (pages > 1 && pixels * pages > MANY) return { quality, lossless, effort: pixels * pages > MAX ? 0 : 1 }
  if (lossless) return { lossless, quality: 100, effort: pixels <= 4e6 ? 2 : 0 }
  if (pixels <= 4e6) return { quality, effort: 3 }
  if (quality >= 90) return { quality, effort: 1 }
  return { quality: Math.max(1, quality - 4), effort: 1, chromaSubsampling: '4:2:0' }
}
