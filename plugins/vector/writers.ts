import { inkscape } from '../../engines/inkscape.ts'
import { encapsulate, rsvgConvert } from '../../engines/librsvg.ts'
import { svgo, svgPack, svgPlain, svgSplit } from '../../engines/svg.ts'
import type { Condition, Job, Step } from '../../kernel/contract.ts'
import type { Writer } from './join.ts'
import type { VectorOptions } from './options.ts'

const toMetafile = ({ to, options }: Job<VectorOptions>) => [`--export-type=${to}`, `--export-dpi=${options.density}`]

const rich: Condition<VectorOptions> = { more: { rich: [true] } }

/** Metafiles have no gradients, masks, transparency and the like: those become a picture, with the rest before it. */
const metafiles: readonly Step<VectorOptions>[] = [
  // Inkscape would load files that the drawing refers to.
  { engine: svgo, each: 'page', output: 'alone-%03d.svg', args: () => ['alone'] },
  {
    engine: svgSplit,
    each: 'page',
    output: 'behind-%03d.svg',
    args: ({ to }) => ['behind', to],
    facts: (lines) => (lines.includes('rich') ? { more: { rich: true } } : {}),
  },
  {
    engine: rsvgConvert,
    each: 'page',
    output: 'behind-%03d.png',
    when: rich,
    args: ({ options: { density = 150 } }) => ['-f', 'png', '-b', 'white', '-z', density / 96],
  },
  {
    engine: svgSplit,
    each: 'page',
    input: 'alone-%03d.svg',
    output: 'front-%03d.svg',
    when: rich,
    args: ({ to, scratch, options }, { number }) => [
      'front',
      to,
      `${scratch}/behind-${String(number).padStart(3, '0')}.png`,
      options.density,
    ],
  },
  {
    engine: inkscape,
    each: 'page',
    input: 'front-%03d.svg',
    output: 'metafile-%03d.{to}',
    when: rich,
    args: toMetafile,
  },
  {
    engine: inkscape,
    each: 'page',
    input: 'alone-%03d.svg',
    output: 'metafile-%03d.{to}',
    when: { not: rich },
    args: toMetafile,
  },
]

/** Targets of all drawings. */
export const writers: readonly Writer[] = [
  { to: ['svg'], engine: svgPlain, steps: [{ engine: svgPlain, each: 'page', output: 'plain-%03d.svg' }] },
  { to: ['svgz'], engine: svgPack, steps: [{ engine: svgPack, each: 'page', output: 'packed-%03d.svgz' }] },
  { to: ['eps'], engine: rsvgConvert, steps: encapsulate },
  { to: ['emf', 'wmf'], engine: inkscape, steps: metafiles },
]
