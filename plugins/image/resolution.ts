import type { Args } from '../../kernel/contract.ts'
import type { Wanted } from './codec.ts'
import { failure } from './failure.ts'
import type { ImageOptions } from './options.ts'

/** Points (1/72 inch). */
export interface Size {
  width: number
  height: number
}

/** Dots per inch of a drawing without a box. */
export const DENSITY = 150

/** Pixels that a rendered picture has at most. */
const SIDE = 16_384
const AREA = 268_000_000

/**
 * The scale in pixels a point at which a page fills its box, and the side that meets it.
 * Modes that cover the box, or leave its shape, go by the side that needs more.
 */
export function scale(size: Size, box: Pick<Wanted, 'width' | 'height'>, fit: ImageOptions['fit'] = 'inside') {
  const sides = (['width', 'height'] as const).filter((side) => box[side] !== undefined)
  const scales = sides.map((side) => ({ side, scale: box[side]! / size[side] })).sort((a, b) => a.scale - b.scale)
  const covers = fit === 'cover' || fit === 'outside' || fit === 'fill'
  const found = (covers ? scales.at(-1) : scales[0]) ?? { side: undefined, scale: DENSITY / 72 }
  check(size.width * found.scale, size.height * found.scale)
  return found
}

/** Poppler's arguments for that scale. @throws RESOURCE_LIMIT for a picture that would be too large. */
export function resolution(size: Size, box: Pick<Wanted, 'width' | 'height'>, fit: ImageOptions['fit']): Args {
  const { side } = scale(size, box, fit)
  if (side === 'width') return ['-scale-to-x', box.width, '-scale-to-y', -1]
  if (side === 'height') return ['-scale-to-y', box.height, '-scale-to-x', -1]
  return ['-r', DENSITY]
}

/** @throws RESOURCE_LIMIT for a picture of more than 16,384 pixels a side or 268 megapixels, CONVERSION_ERROR for none. */
export function check(width: number, height: number) {
  if (!(width > 0 && height > 0)) throw failure('CONVERSION_ERROR', 'the page has no size')
  if (width > SIDE || height > SIDE || width * height > AREA)
    throw failure('RESOURCE_LIMIT', 'the picture would have more than 16,384 pixels a side or 268 megapixels')
}
