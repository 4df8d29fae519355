import sharp from 'sharp'
import { maxPixels } from './spec.ts'

/**
 * sharp for hostile files: nothing cached between files, and of libvips' loaders only those that are fuzzed
 * upstream and needed here. https://www.libvips.org/API/current/func.block_untrusted_set.html
 */
sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif', 'Svg'].map((loader) => `VipsForeignLoad${loader}`),
})

/** For every file that is opened. 'error' refuses truncated files, but not a profile with a spelling mistake. */
export const reading = { failOn: 'error', limitInputPixels: maxPixels, unlimited: false } as const

export { sharp }
