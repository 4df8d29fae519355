import type { OptionRule, Plugin } from '../../kernel/contract.ts'
import { formats } from './formats.ts'

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

/** Targets whose encoder loses something, so that their size can be aimed at. */
export const lossy = ['jpg', 'webp', 'avif', 'heic', 'jxl', 'jp2'] as const

export const options: Plugin<ImageOptions>['options'] = {
  quality: {
    type: 'integer',
    minimum: 1,
    maximum: 100,
    defaults: { jpg: 82, webp: 80, avif: 55, heic: 55, jxl: 85, jp2: 50 },
    effect: [...lossy, 'jxr', 'png'],
    description: "The encoder's quality, 1 to 100; for png it quantises to a palette, only when given.",
  },
  maxWidth: { type: 'integer', minimum: 1, maximum: 16_384, description: 'Width of the box for fit, in pixels.' },
  maxHeight: { type: 'integer', minimum: 1, maximum: 16_384, description: 'Height of the box for fit, in pixels.' },
  fit: {
    type: 'string',
    enum: ['inside', 'cover', 'contain', 'fill', 'outside'],
    default: 'inside',
    description:
      'How the picture meets the box: inside and outside never enlarge; cover crops, contain pads, fill stretches, and these three need both sides, else they act as inside.',
  },
  progressive: {
    type: 'boolean',
    default: false,
    effect: ['jpg', 'png', 'gif'],
    description: 'Progressive jpg, interlaced png and gif.',
  },
  stripMetadata: {
    type: 'boolean',
    default: false,
    description:
      'Removes EXIF, XMP, IPTC and comments; a colour profile that is not sRGB stays. Orientation is applied to the pixels either way.',
  },
  targetSizeKb: {
    type: 'integer',
    minimum: 1,
    maximum: 102_400,
    effect: lossy,
    description:
      'Largest size of the result in kB of 1,000 bytes, found by search over quality; quality is then the ceiling. Lossy targets only.',
  },
  lossless: {
    type: 'boolean',
    default: false,
    effect: ['webp', 'avif', 'jxl', 'heic', 'jp2'],
    description: 'Encodes without loss. Not together with quality or targetSizeKb, and not for jpg.',
  },
}

const isLossy = (format: string) => (lossy as readonly string[]).includes(format)

/** Combinations that contradict each other or the target. */
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
    message: 'options.lossless is not possible for jpg; it works for webp, avif, jxl, heic and jp2',
  },
  {
    to: Object.keys(formats).filter((format) => !isLossy(format)),
    forbid: { required: ['targetSizeKb'] },
    message: `options.targetSizeKb is only possible for lossy targets: ${lossy.join(', ')}`,
  },
]
