import { fitsReader as planeReader } from '../../engines/fits.ts'
import { imagemagick } from '../../engines/imagemagick.ts'
import type { ImageFacts, ImageStep } from './facts.ts'
import { ask, read, rewrite, SRGB } from './magick-steps.ts'
import type { Reader } from './stages.ts'

/**
 * Content of the file. ImageMagick uses 8-bit values directly, and maps `wide` numbers from a range that they seldom
 * fill. Three planes of one size are `colours`; with any other number, the first plane is the picture.
 */
function kindOf(lines: readonly string[]): ImageFacts['planes'] {
  const planes = lines.flatMap((line) => {
    const [, size, bits] = /^(\d+x\d+) *(-?\d*)/.exec(line) ?? []
    return size === undefined ? [] : [{ size, bits }]
  })
  if (planes[0]?.bits !== '8') return 'wide'
  return planes.length === 3 && new Set(planes.map(({ size }) => size)).size === 1 ? 'colours' : 'gray'
}

const wide: ImageStep['when'] = { more: { planes: ['wide'] } }

export const fitsReader: Reader = {
  from: ['fits'],
  steps: [
    ask('%wx%h %[fits:BITPIX]', (lines) => ({ planes: kindOf(lines) })),
    { engine: planeReader, when: wide, output: 'plane.pgm' },
    {
      engine: imagemagick,
      when: wide,
      args: (_, { input, output }) => rewrite('pgm', input, output),
      output: 'decoded/001.png',
    },
    read(['-combine', ...SRGB], '', { more: { planes: ['colours'] } }),
    read(SRGB, '[0]', { more: { planes: ['gray'] } }),
  ],
}
