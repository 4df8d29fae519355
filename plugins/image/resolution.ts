import { fail } from '../../kernel/kit.ts'
import type { ImageOptions } from './options.ts'

/** Points (1/72 inch). */
export interface Size {
  width: number
  height: number
}

/** Dots per inch of a drawing without a box. */
const DENSITY = 150

/** Maximum number of pixels of a rendered picture. */
const SIDE = 16_384
const AREA = 268_000_000

/**
 * Returns the resolution in dpi at which a page just fills its box. Modes that cover the box, or change the aspect
 * ratio, use the side that needs more.
 *
 * @throws what `check` throws
 */
export function resolution(size: Size, { maxWidth, maxHeight, fit = 'inside' }: ImageOptions): number {
  const scales = [maxWidth && maxWidth / size.width, maxHeight && maxHeight / size.height].filter(
    (scale) => scale !== undefined,
  )
  const covers = fit === 'cover' || fit === 'outside' || fit === 'fill'
  const scale = scales.length === 0 ? DENSITY / 72 : covers ? Math.max(...scales) : Math.min(...scales)
  check(size.width * scale, size.height * scale)
  // Programs round up.
  return 72 * scale * (1 - 1e-7)
}

/** @throws RESOURCE_LIMIT for more than 16,384 pixels per side or 268 megapixels, CONVERSION_ERROR for none. */
function check(width: number, height: number) {
  if (!(width > 0 && height > 0)) throw fail('CONVERSION_ERROR', 'The page has no size')
  if (width > SIDE || height > SIDE || width * height > AREA)
    throw fail('RESOURCE_LIMIT', 'The picture would have more than 16,384 pixels a side or 268 megapixels')
}
