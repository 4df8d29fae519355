import sharp from 'sharp'

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

/** Pixels of one picture, or of all frames of an animation together: sharp's own default. */
export const maxPixels = 268_402_689

/** For every file that is opened. 'error' refuses truncated files, but not a profile with a spelling mistake. */
export const reading = { failOn: 'error', limitInputPixels: maxPixels, unlimited: false } as const

export { sharp }
