import { count, distil } from '../../engines/drawn-pages.ts'
import { dxfOutlines } from '../../engines/dxf-outlines.ts'
import { inkscape } from '../../engines/inkscape.ts'
import { libredwg } from '../../engines/libredwg.ts'
import { encapsulate } from '../../engines/librsvg.ts'
import { pdftocairo } from '../../engines/poppler.ts'
import { potrace } from '../../engines/potrace.ts'
import { pstoedit } from '../../engines/pstoedit.ts'
import { zipOfPages } from '../../engines/sharp.ts'
import { mendings, svgo } from '../../engines/svg.ts'
import { tracer } from '../../engines/trace.ts'
import type { Route, Step } from '../../kernel/contract.ts'
import { metafile } from '../formats/drawing.ts'
import type { CadOptions } from './options.ts'

/**
 * Converts SVG to its outlines in millimetres, page by page. Pictures are left out, so a drawing of pictures only is
 * refused. Several pages become a zip, also if some are empty.
 */
const outlines: readonly Step<CadOptions>[] = [
  { engine: svgo, each: 'page', output: 'outlined-%03d.svg', args: () => ['outlined'] },
  ...encapsulate,
  { engine: pstoedit, each: 'page', output: 'lines-%03d.dxf', args: () => ['-f', 'dxf: -mm'] },
  { engine: dxfOutlines, output: false, args: (_, { inputs }) => inputs },
  zipOfPages,
]

/** From PDF to SVG, one file per page. Pictures are left out, so their resolution has no effect. */
const drawPages: readonly Step<CadOptions>[] = [
  count,
  {
    engine: pdftocairo,
    each: 'page',
    output: 'drawing-%03d.svg',
    args: (_, { number }) => ['-svg', '-f', number, '-l', number],
  },
]

/** DXF from drawings. DXF has no pages. */
export const drawings: readonly Route<CadOptions>[] = [
  ...mendings.map((mend) => ({
    from: ['svg', 'svgz'],
    to: ['dxf'],
    engine: pstoedit,
    steps: [...mend, ...outlines],
  })),
  {
    from: ['png', 'jpg', 'webp', 'avif', 'gif'],
    to: ['dxf'],
    steps: [
      { engine: tracer, uses: [potrace], output: 'traced.svg', args: ({ options }) => [options.density] },
      ...outlines,
    ],
  },
  { from: ['dwg'], to: ['dxf'], engine: libredwg, args: () => [] },
  {
    // Inkscape keeps the exact positions of corners; a printed page would round them.
    from: metafile,
    to: ['dxf'],
    engine: pstoedit,
    steps: [
      { engine: inkscape, output: 'metafile.svg', args: () => ['--export-type=svg', '--export-plain-svg'] },
      ...outlines,
    ],
  },
  { from: ['pdf', 'ai'], to: ['dxf'], engine: pstoedit, steps: [...drawPages, ...outlines] },
  { from: ['ps'], to: ['dxf'], engine: pstoedit, steps: [distil, ...drawPages, ...outlines] },
  { from: ['eps', 'ai', 'fig', 'cdr'], to: ['dxf'], via: 'svg' },
]
