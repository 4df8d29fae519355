import sharp from 'sharp'
import { maxPixels } from './spec.ts'

/**
 * sharp, configured for hostile files: nothing is cached between files, and only loaders are allowed that are needed
 * and that libvips fuzzes. https://www.libvips.org/API/current/func.block_untrusted_set.html
 */
sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif', 'Svg'].map((loader) => `VipsForeignLoad${loader}`),
})

/** Options for opening any file. 'error' rejects truncated files, but tolerates small errors such as in profiles. */
export const reading = { failOn: 'error', limitInputPixels: maxPixels, unlimited: false } as const

export { sharp }
