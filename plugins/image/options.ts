import type { OptionRule, Plugin, Preset } from '../../kernel/contract.ts'
import { formats } from './formats.ts'
import { targetsWith, traitsOf } from './targets.ts'

/** Options of image targets. */
export interface ImageOptions {
  quality?: number
  maxWidth?: number
  maxHeight?: number
  fit?: 'inside' | 'cover' | 'contain' | 'fill' | 'outside'
  progressive?: boolean
  stripMetadata?: boolean
  targetSizeKb?: number
  lossless?: boolean
}

/** Targets for which a size can be requested. */
const sized = targetsWith((target) => target.sized)
const lossless = targetsWith((target) => target.lossless)

export const options: Plugin<ImageOptions>['options'] = {
  quality: {
    title: 'Quality',
    type: 'integer',
    minimum: 1,
    maximum: 100,
    // Not of jxr, to which no size can be given.
    defaults: Object.fromEntries(sized.map((to) => [to, traitsOf(to).quality])),
    effect: targetsWith(({ quality, palette }) => quality ?? palette),
    description: 'Quality from 1 to 100. A png gets a palette of fewer colours, and only if quality is given.',
  },
  maxWidth: {
    title: 'Max. width',
    unit: 'px',
    type: 'integer',
    minimum: 1,
    maximum: 16_384,
    description: 'Width in pixels of the box that fit uses.',
  },
  maxHeight: {
    title: 'Max. height',
    unit: 'px',
    type: 'integer',
    minimum: 1,
    maximum: 16_384,
    description: 'Height in pixels of the box that fit uses.',
  },
  fit: {
    title: 'Fit into the box',
    type: 'string',
    enum: ['inside', 'cover', 'contain', 'fill', 'outside'],
    default: 'inside',
    description:
      'How the picture fits into the box. inside and outside keep its shape and never enlarge it. cover crops, contain pads and fill stretches; without both maxWidth and maxHeight, these three act as inside.',
  },
  progressive: {
    title: 'Progressive',
    type: 'boolean',
    default: false,
    effect: targetsWith((target) => target.progressive),
    description: 'Makes a progressive jpg, or an interlaced png or gif.',
  },
  stripMetadata: {
    title: 'Remove metadata',
    type: 'boolean',
    default: false,
    description:
      'Removes EXIF, XMP, IPTC and comments. A colour profile other than sRGB stays. Orientation is always applied to the pixels.',
  },
  targetSizeKb: {
    title: 'Max. size',
    unit: 'kB',
    type: 'integer',
    minimum: 1,
    maximum: 102_400,
    effect: sized,
    description:
      'Largest size of the result in kB of 1,000 bytes. The service searches for the best quality that meets it; quality is then the ceiling. Only for lossy targets.',
  },
  lossless: {
    title: 'Lossless',
    type: 'boolean',
    default: false,
    effect: lossless,
    description:
      'Encodes without loss. It cannot be combined with quality or targetSizeKb, and is not possible for jpg.',
  },
}

/** For people who do not know what the numbers mean. */
export const presets: readonly Preset<ImageOptions>[] = [
  { name: 'smaller', title: 'Smaller', options: { quality: 60 } },
  { name: 'balanced', title: 'Balanced', options: {} },
  { name: 'best', title: 'Best', options: { quality: 95 } },
  // Every mail provider accepts this much as an attachment, which grows by a third when it is encoded.
  { name: 'mail', title: 'For email, up to 10 MB', options: { targetSizeKb: 10_000 } },
]

const listed = (formats: readonly string[]) => `${formats.slice(0, -1).join(', ')} and ${formats.at(-1)}`

/** Combinations that exclude each other, or that the target cannot meet. */
export const rules: OptionRule[] = [
  {
    forbid: { properties: { lossless: { const: true } }, required: ['lossless', 'quality'] },
    message: 'options.quality cannot be given together with options.lossless: leave one of them out',
  },
  {
    forbid: { properties: { lossless: { const: true } }, required: ['lossless', 'targetSizeKb'] },
    message: 'options.targetSizeKb cannot be given together with options.lossless: leave one of them out',
  },
  {
    to: ['jpg'],
    forbid: { properties: { lossless: { const: true } }, required: ['lossless'] },
    message: `options.lossless is not possible for jpg; it works for ${listed(lossless)}`,
  },
  {
    to: Object.keys(formats).filter((format) => !sized.includes(format)),
    forbid: { required: ['targetSizeKb'] },
    message: `options.targetSizeKb is only possible for lossy targets: ${sized.join(', ')}`,
  },
]
