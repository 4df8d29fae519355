import { exiftool } from '../../engines/exiftool.ts'
import { exrLayer } from '../../engines/exr.ts'
import { coded, imagemagick } from '../../engines/imagemagick.ts'
import { magickWasm } from '../../engines/magick-wasm.ts'
import { pfmReader } from '../../engines/pfm.ts'
import { fail } from '../../kernel/kit.ts'
import { bilevelReaders } from './bilevel.ts'
import { fitsReader } from './fits.ts'
import { ask, read, rewrite, SRGB } from './magick-steps.ts'
import type { Reader } from './stages.ts'
import { moves } from './targets.ts'

const still = [
  'tga',
  'ppm',
  'pgm',
  'pbm',
  'pam',
  'pnm',
  'xbm',
  'xpm',
  'wbmp',
  'sgi',
  'ras',
  'xwd',
  'cin',
  'hdr',
  'dds',
  'jng',
  'miff',
]

const ink = { more: { ink: [true] } }
/** What libtiff turned into red, green and blue. */
const chroma = { more: { chroma: [true], fullChroma: [undefined, false] } }
const film = { more: { film: [true] } }

/**
 * ImageMagick reads signed numbers of 16 bits right, others with black and white in the middle of the scale, and whole
 * numbers of 24 bits as if they had 32. Luma and chroma of the same size stay as they are in libtiff, and those of
 * old-style JPEG in tiles become other colours.
 */
const lookAtTags: Reader['steps'][number] = {
  engine: exiftool,
  args: () => ['-s', '-n', '-SampleFormat', '-BitsPerSample', '-YCbCrSubSampling', '-Compression', '-TileWidth'],
  facts: (lines) => {
    const told = (tag: string) => lines.find((line) => line.startsWith(tag))?.replace(/^.*?: */, '') ?? ''
    const signed = /^2\b/.test(told('SampleFormat')) && !/^16\b/.test(told('BitsPerSample'))
    if (signed) throw fail('CONVERSION_ERROR', 'The TIFF file holds signed numbers of other sizes than 16 bits')
    const whole = /^24\b/.test(told('BitsPerSample')) && !/^3\b/.test(told('SampleFormat'))
    if (whole) throw fail('CONVERSION_ERROR', 'The TIFF file holds whole numbers of 24 bits')
    if (told('Compression') === '6' && told('TileWidth'))
      throw fail('CONVERSION_ERROR', 'The TIFF file holds tiles of old-style JPEG')
    return { more: { fullChroma: told('YCbCrSubSampling') === '1 1' && !['6', '7'].includes(told('Compression')) } }
  },
  output: false,
  optional: true,
}

/** ImageMagick leaves out what a PICT draws, and finds nothing in one without a picture: LibreOffice draws it. */
const refuseDrawings = ask(
  '%k %[pixel:p{0,0}]',
  ([only = '']) => {
    if (/^1 (white|black|\w+\((0|255|0,0,0|255,255,255)[,)])/.test(only))
      throw fail('CONVERSION_ERROR', 'The PICT is blank, or a drawing')
    return {}
  },
  [],
)

export const magickReaders: readonly Reader[] = [
  { from: still, steps: [read(SRGB)] },
  { from: ['pict'], steps: [refuseDrawings, read(SRGB)] },
  {
    // Light of any strength, which ImageMagick would cut off at white.
    from: ['pfm'],
    steps: [
      { engine: pfmReader, output: 'tones.ppm' },
      { engine: imagemagick, args: (_, { input, output }) => rewrite('ppm', input, output), output: 'decoded/001.png' },
    ],
  },
  {
    // What libvips refuses: rare compressions and numbers. libtiff turns luma and chroma into RGB, but ImageMagick
    // does not know it.
    from: ['tif'],
    engine: imagemagick,
    pages: 'all',
    steps: [
      lookAtTags,
      ask('%[colorspace]', (lines) => ({ chroma: lines.includes('YCbCr') })),
      read(['-set', 'colorspace', 'sRGB'], '', chroma),
      read(SRGB, '', { not: chroma }),
    ],
  },
  {
    // Some have no file header.
    from: ['bmp'],
    steps: [
      { ...read(SRGB), optional: true },
      {
        engine: imagemagick,
        when: { not: { written: 'decoded/%03d.png' } },
        input: 'source',
        args: (_, { input, output }) => rewrite('dib', input, output),
        output: 'decoded/001.png',
      },
    ],
  },
  // Luminance and chroma, or layers.
  {
    from: ['exr'],
    steps: [
      { engine: exrLayer, output: 'layer.exr' },
      { ...read(SRGB), needs: ['EXR'] },
    ],
  },
  {
    // The flattened picture. CMYK stays, because sharp uses its profile, which is better than a formula.
    from: ['psd', 'psb'],
    steps: [
      ask('%[colorspace]', (lines) => ({ ink: lines.includes('CMYK') })),
      {
        engine: imagemagick,
        when: ink,
        args: ({ from }, { input, output }) => [
          [coded(from, `${input}[0]`), '-auto-orient', '+repage', '-compress', 'None'],
          coded('tif', output),
        ],
        output: 'decoded/001.tif',
      },
      read(SRGB, '[0]', { not: ink }),
    ],
  },
  {
    // Film scans store density. For the others, ImageMagick always reports linear light, even if that is wrong.
    // ImageMagick knows that only after it has read the pixels.
    from: ['dpx'],
    steps: [
      ask('%[colorspace]', (lines) => ({ film: lines.includes('Log') }), []),
      read(SRGB, '[0]', film),
      read([], '[0]', { not: film }),
    ],
  },
  fitsReader,
  // One picture in several sizes. Without a number: the base of 768 × 512.
  { from: ['pcd'], steps: [read(SRGB, '')] },
  { from: ['ico', 'cur'], pages: 'largest', steps: [read(SRGB, '')] },
  ...bilevelReaders,
  {
    from: ['mng'],
    moving: true,
    // ImageMagick gives all but the last frame of some files the least time.
    timed: true,
    steps: [
      {
        engine: imagemagick,
        args: ({ to }, { input, output }) => [
          [coded('mng', input + (moves(to) ? '' : '[0]')), '-coalesce', SRGB],
          ['-define', 'webp:lossless=true', coded('webp', output)],
        ],
        output: 'decoded/001.webp',
      },
    ],
  },
  {
    from: ['xcf', 'heic', 'dcm', 'dds', 'psd', 'bmp'],
    steps: [{ engine: magickWasm, args: ({ from }) => [from.toUpperCase()], output: 'decoded/001.png' }],
  },
]
