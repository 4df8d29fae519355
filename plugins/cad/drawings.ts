import { dxfOutlines } from '../../engines/dxf-outlines.ts'
import { inkscape } from '../../engines/inkscape.ts'
import { libredwg } from '../../engines/libredwg.ts'
import { encapsulate } from '../../engines/librsvg.ts'
import { potrace } from '../../engines/potrace.ts'
import { pstoedit } from '../../engines/pstoedit.ts'
import { tracer } from '../../engines/trace.ts'
import type { Route, Step } from '../../kernel/contract.ts'
import { metafile } from '../formats/drawing.ts'
import type { CadOptions } from './options.ts'

/** Converts SVG to its outlines in millimetres. Pictures in it have none, so a drawing of pictures only is refused. */
const outlines: readonly Step<CadOptions>[] = [
  ...encapsulate,
  { engine: pstoedit, output: 'lines.dxf', args: () => ['-f', 'dxf: -mm'] },
  { engine: dxfOutlines },
]

/** DXF from drawings of one page. DXF has no pages. */
export const drawings: readonly Route<CadOptions>[] = [
  { from: ['svg', 'svgz'], to: ['dxf'], engine: pstoedit, steps: outlines },
  {
    ...{ from: ['png', 'jpg', 'webp', 'avif', 'gif'], to: ['dxf'] },
    steps: [
      { engine: tracer, uses: [potrace], output: 'traced.svg', args: ({ options }) => [options.density] },
      ...outlines,
    ],
  },
  { from: ['dwg'], to: ['dxf'], engine: libredwg, args: () => [] },
  {
    // Inkscape keeps the exact positions of corners; a printed page would round them.
    ...{ from: metafile, to: ['dxf'], engine: pstoedit },
    steps: [
      { engine: inkscape, output: 'metafile.svg', args: () => ['--export-type=svg', '--export-plain-svg'] },
      ...outlines,
    ],
  },
  { from: ['pdf', 'eps', 'ps', 'ai', 'fig', 'cdr'], to: ['dxf'], via: 'svg' },
]
