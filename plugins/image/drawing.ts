import { inkscape } from '../../engines/inkscape.ts'
import { sharp } from '../../engines/sharp.ts'
import { drawHtmlParts, outlineTextPaths } from '../../engines/svg.ts'
import type { Facts } from '../../kernel/contract.ts'
import { fail } from '../../kernel/kit.ts'
import { metafile } from '../formats/drawing.ts'
import { resolution } from './resolution.ts'
import type { Reader } from './stages.ts'

/** Inkscape's pixels, 96 per inch, in points. */
const POINTS = 72 / 96

function sizeOf(lines: readonly string[]): Partial<Facts> {
  const [width, height] = lines
    .map(Number)
    .filter((number) => number > 0)
    .slice(-2)
  if (!width || !height) throw fail('CONVERSION_ERROR', 'The drawing is empty')
  return { pages: [{ width, height }] }
}

/** SVG that sharp refuses: with parts in HTML, with text along a path as outlines, or without them. */
export const svgReaders: readonly Reader[] = [
  { from: ['svg', 'svgz'], engine: sharp, steps: drawHtmlParts, drawing: 'browsed.svg' },
  { from: ['svg', 'svgz'], engine: sharp, steps: outlineTextPaths, drawing: 'along.svg' },
  { from: ['svg', 'svgz'], engine: sharp, steps: [], drawing: 'source' },
]

export const drawingReader: Reader = {
  from: metafile,
  steps: [
    { engine: inkscape, args: () => ['--query-width', '--query-height'], facts: sizeOf, output: false },
    {
      engine: inkscape,
      args: ({ options }, { output, page: { width = 0, height = 0 } }) => {
        const dots = resolution({ width: width * POINTS, height: height * POINTS }, options)
        return ['--export-type=png', `--export-dpi=${dots}`, `--export-filename=${output}`]
      },
      output: 'decoded/001.png',
    },
  ],
}
