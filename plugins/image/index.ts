import type { Plugin } from '../../kernel/contract.ts'
import { detours, drawnPict, metafiles } from './detours.ts'
import { formats } from './formats.ts'
import { losses } from './losses.ts'
import { optimisations } from './optimise.ts'
import { type ImageOptions, options, presets, rules } from './options.ts'
import { conversions } from './routes.ts'
import { traitsOf } from './targets.ts'
import { animations } from './video.ts'

const megabyte = 1_000_000

/** Raster pictures, from pictures, drawings and pages. */
export default {
  category: 'image',
  formats,
  options,
  rules,
  presets,
  wanted: ['jpg', 'png', 'webp', 'pdf', 'avif', 'gif', 'svg', 'tif', 'ico', 'heic', 'bmp', 'jxl', 'docx'],
  losses,
  routes: [metafiles, ...conversions, animations, ...optimisations, drawnPict, ...detours],
  heavy: ({ to, size }) => size > (traitsOf(to).slow ? 8 : 60) * megabyte,
} satisfies Plugin<ImageOptions>
