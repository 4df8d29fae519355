import { exiftool } from '../../engines/exiftool.ts'
import { coded, imagemagick } from '../../engines/imagemagick.ts'
import { ask, PNG, SRGB } from './magick-steps.ts'
import type { Reader } from './stages.ts'

/** Reads the header of a PCX: only a single plane of one bit is black and white. */
const lookAtPlanes: Reader['steps'][number] = {
  engine: exiftool,
  args: () => ['-s', '-n', '-BitsPerPixel', '-ColorPlanes'],
  facts: (lines) => {
    const is1 = (tag: string) => lines.some((line) => new RegExp(`^${tag} *: 1$`).test(line))
    return { more: { bilevel: [is1('BitsPerPixel') && is1('ColorPlanes')] } }
  },
  output: false,
}

/** ExifTool does not look into DCX. */
const lookAtPages = ask('%z %[type]', (lines) => ({ bilevel: lines.map((line) => line === '1 Bilevel') }), [])

/** ImageMagick takes a bit of 1 for black in PCX, where it is white. */
const readPages: Reader['steps'][number] = {
  engine: imagemagick,
  args: ({ from }, { input, output, facts }) => {
    const pages = facts.more?.bilevel ?? []
    const copies = pages.map((inverted, index) => ['(', '-clone', index, inverted && '-negate', ')'])
    return [
      [coded(from, input), SRGB],
      [copies, '-delete', `0-${pages.length - 1}`],
      ['+repage', PNG, '+adjoin'],
      coded('png', output),
    ]
  },
  output: 'decoded/%03d.png',
}

/** Readers of PCX, and of DCX, which holds several. */
export const bilevelReaders: readonly Reader[] = [
  { from: ['pcx'], steps: [lookAtPlanes, readPages] },
  { from: ['dcx'], pages: 'all', steps: [lookAtPages, readPages] },
]
