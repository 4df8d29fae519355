import { gifsicle } from '../../engines/gifsicle.ts'
import { jpegtran } from '../../engines/jpegtran.ts'
import { optipng } from '../../engines/optipng.ts'
import { asks, none, recoding, replacing } from './asked.ts'
import type { ImageStep } from './facts.ts'
import { copyMetadata } from './metadata.ts'
import { recode, smallest } from './recode.ts'
import { look, lookAt } from './sharp.ts'
import { traitsOf } from './targets.ts'

type Steps = readonly ImageStep[]

/** The transformation that undoes each EXIF orientation. */
const turns: readonly (readonly string[])[] = [
  [],
  [],
  ['-flip', 'horizontal'],
  ['-rotate', '180'],
  ['-flip', 'vertical'],
  ['-transpose'],
  ['-rotate', '90'],
  ['-transverse'],
  ['-rotate', '270'],
]

const kept = none(recoding, 'jpg')
const turned = 'turned.jpg'
const packed = ['-optimize', '-progressive', '-copy']

/**
 * Without its tag, a rotated picture must be rotated itself. That is lossless only if its sides fit the blocks;
 * otherwise sharp encodes it again.
 */
export const jpg: Steps = [
  lookAt(({ orientation }, { options }) => ({
    orientation,
    turn: options.stripMetadata === true && orientation > 1,
  })),
  recode({ when: { not: kept } }),
  {
    engine: jpegtran,
    when: { ...kept, more: { turn: [false] } },
    args: ({ options }) => [packed, options.stripMetadata ? 'icc' : 'all'],
    output: 'jpegtran.jpg',
  },
  {
    engine: jpegtran,
    when: { ...kept, more: { turn: [true] } },
    args: (_, { facts }) => [packed, 'icc', '-perfect', turns[facts.more?.orientation ?? 1]],
    output: turned,
    optional: true,
  },
  recode({ when: { ...kept, more: { turn: [true] }, not: { written: turned } }, output: turned }, () => ({
    quality: 95,
  })),
  smallest(() => ['sharp', 'jpegtran', 'turned']),
]

export const png: Steps = [
  look,
  recode({ when: { moving: false, not: none([...replacing, ...recoding], 'png') } }),
  {
    // Eight trials take eight times as long as one, and save a few percent.
    engine: optipng,
    when: { moving: false },
    args: ({ size, options }) => [size > 2_000_000 ? '-o1' : '-o2', options.progressive && '-i1'],
    output: 'optipng.png',
  },
  smallest((_, { moving }) => (moving ? [] : ['optipng', 'sharp'])),
]

export const gif: Steps = [
  look,
  recode({ when: { not: none(recoding, 'gif') } }),
  {
    engine: gifsicle,
    args: ({ options: { progressive, stripMetadata } }) => [
      '-O3',
      progressive && '--interlace',
      stripMetadata && ['--no-comments', '--no-names', '--no-extensions'],
    ],
    output: 'gifsicle.gif',
  },
  smallest(() => ['gifsicle']),
]

/** Encodes again, without loss if the first encoding was lossless. */
export const again = (when: ImageStep['when'] = {}) =>
  recode({ when }, (job, { more }) => {
    if (asks(recoding, job)) return {}
    return more?.lossless ? { lossless: true } : { quality: traitsOf(job.to).reencodeQuality }
  })

export const webp: Steps = [lookAt(({ lossless }) => ({ lossless })), again(), smallest(() => ['sharp'])]

/** sharp converts other colours to sRGB, and floating point to 8 bits. */
export const tif: Steps = [
  lookAt(({ space, depth, foreign }, job) => {
    const exact = ['srgb', 'b-w', 'rgb16', 'grey16'].includes(space) && ['uchar', 'ushort'].includes(depth)
    const differs = foreign && space !== 'srgb' && space !== 'rgb16'
    return { worth: asks(replacing, job) || (!differs && (exact || asks(recoding, job))) }
  }),
  recode({ when: { more: { worth: [true] } } }),
  copyMetadata({ more: { worth: [true] } }),
  smallest((_, { more }) => (more?.worth ? ['sharp'] : [])),
]
