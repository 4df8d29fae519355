import { inkscape } from '../../engines/inkscape.ts'
import { encapsulate, rsvgConvert } from '../../engines/librsvg.ts'
import { svgo, svgPack, svgPlain } from '../../engines/svg.ts'
import type { Writer } from './join.ts'

/** Targets of all drawings. */
export const writers: readonly Writer[] = [
  { to: ['svg'], engine: svgPlain, steps: [{ engine: svgPlain, each: 'page', output: 'plain-%03d.svg' }] },
  { to: ['svgz'], engine: svgPack, steps: [{ engine: svgPack, each: 'page', output: 'packed-%03d.svgz' }] },
  { to: ['eps'], engine: rsvgConvert, steps: encapsulate },
  {
    ...{ to: ['emf', 'wmf'], engine: inkscape },
    steps: [
      // Inkscape would load files that the drawing refers to.
      { engine: svgo, each: 'page', output: 'alone-%03d.svg', args: () => ['alone'] },
      {
        ...{ engine: inkscape, each: 'page', output: 'metafile-%03d.{to}' },
        args: ({ to, options }) => [`--export-type=${to}`, `--export-dpi=${options.density}`],
      },
    ],
  },
]
