import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { made } from '../../fixtures/cache.ts'
import { base } from '../../fixtures/image.ts'
import { program } from '../../fixtures/program.ts'
import { officeDrawings, vector } from '../../fixtures/vector.ts'
import { pixelsOf } from '../../matrix/decode.ts'
import type { Specimen } from '../family.ts'
import { inFile, specimen } from '../saved.ts'
import { shows } from './bases.ts'

/** Millimetres of the scene's page. */
const page = [120, 80] as const

/** Colours of areas, lines and the ends of a gradient. */
const colours = ['#cc0000', '#0000cc', '#008000', '#ffcc00']
const words = new Set(['harbour', '4821', 'dunlin'])

/** Areas, lines, a gradient, transparency, dashes and words, in millimetres. */
const scene = `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="120mm" height="80mm" viewBox="0 0 120 80">
<defs><linearGradient id="g"><stop offset="0" stop-color="#ffcc00"/><stop offset="1" stop-color="#0000cc"/></linearGradient></defs>
<g id="areas"><rect width="120" height="80" fill="#ffffff"/>
<rect x="5" y="5" width="30" height="20" fill="#cc0000"/>
<circle cx="60" cy="16" r="10" fill="none" stroke="#0000cc" stroke-width="3"/>
<rect x="80" y="5" width="35" height="20" fill="url(#g)"/></g>
<g id="lines" fill="none" stroke="#008000" stroke-width="2"><path d="M5 35C35 25 60 45 115 33"/><path d="M5 45H115" stroke-dasharray="6 3"/></g>
<rect x="25" y="15" width="20" height="15" fill="#ffcc00" fill-opacity="0.5"/>
<text x="8" y="66" font-family="Liberation Sans" font-size="11" fill="#000000">Harbour 4821 Dunlin</text>
</svg>
`

/** The scene as Inkscape sees it, at 150 dpi. */
async function look() {
  const path = await made('depth-scene.png', async (output, scratch) => {
    await writeFile(join(scratch, 'in.svg'), scene)
    const target = ['--export-type=png', '--export-dpi=150', `--export-filename=${output}`]
    await program('inkscape', ...target, join(scratch, 'in.svg'))
  })
  return pixelsOf(sharp(path))
}

/** The scene, by a program that reads it as SVG. */
const drawn = (
  name: string,
  call: (svg: string, output: string, scratch: string) => Promise<unknown>,
  likeness = 20,
): Specimen =>
  specimen(
    name,
    async (output, scratch) => {
      await writeFile(join(scratch, 'in.svg'), scene)
      await call(join(scratch, 'in.svg'), output, scratch)
    },
    { look, paper: page.map((side) => side / 25.4), colours, likeness, words },
    ['look', 'paper', 'colours', 'words'],
  )

/** By a program that reads PDF. */
const printed = (name: string, call: (pdf: string, output: string) => Promise<unknown>) =>
  drawn(name, async (svg, output, scratch) => {
    await program('rsvg-convert', '-f', 'pdf', '-o', `${scratch}/in.pdf`, svg)
    await call(`${scratch}/in.pdf`, output)
  })

/** A sample of test/fixtures, which shows the picture at 150 dpi. */
const picture = (format: string, { make, likeness = 26 }: { make: Specimen['make']; likeness?: number }) => {
  const extent = [160, 120].map((side) => (side / 150) * 25.4)
  const truth = { ...shows(base), paper: extent.map((side) => side / 25.4), likeness: likeness - 4, extent }
  return specimen(`picture.${format}`, make, truth, ['look', 'paper'])
}

/** Specimens of drawings. */
export const drawings: readonly Specimen[] = [
  drawn('scene.svg', (svg, output) => program('cp', svg, output)),
  printed('cairo.svg', (pdf, output) => program('pdftocairo', '-svg', pdf, output)),
  printed('poppler.eps', (pdf, output) => program('pdftops', '-eps', pdf, output)),
  printed('cairo.ai', (pdf, output) => program('cp', pdf, output)),
  drawn(
    'inkscape.emf',
    (svg, output) => program('inkscape', '--export-type=emf', `--export-filename=${output}`, svg),
    15,
  ),
  picture('vsdx', officeDrawings.vsdx!),
  picture('dwg', vector.dwg!),
  inFile('drawing', 'layers.dxf', { colours: ['#ff0000', '#0000ff'], words, extent: page }),
]
