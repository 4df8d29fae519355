import { readFile, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { base, image, imageKinds } from '../../fixtures/image.ts'
import { officeDrawings } from '../../fixtures/office-drawings.ts'
import { program } from '../../fixtures/program.ts'
import { vector } from '../../fixtures/vector.ts'
import type { Specimen } from '../family.ts'
import { shows } from './bases.ts'
import { plans } from './drawing-plans.ts'
import { byInkscape, byLibreOffice, byMatplotlib, drawn, scene } from './drawing-scene.ts'

/** Millimetres of the picture. */
const extent = [(160 / 150) * 25.4, (120 / 150) * 25.4]

/** Samples of test/fixtures, which show the picture at 150 dpi. */
const picture = (
  format: string,
  recipe: { make: Specimen['make']; likeness?: number },
  name = 'picture',
): Specimen => ({
  name: `${name}.${format}`,
  from: format,
  maker: 'hand',
  features: ['look', 'paper'],
  truth: { ...shows(base), paper: extent.map((side) => side / 25.4), likeness: (recipe.likeness ?? 26) - 4, extent },
  make: recipe.make,
})

/** LibreOffice crops metafiles to what is drawn. */
const cropped = { look: undefined, paper: undefined }

const packed = async (path: string, output: string) => writeFile(output, gzipSync(await readFile(path)))

/** Specimens of drawings. */
export const drawings: readonly Specimen[] = [
  ...['svg', 'svgz', 'eps', 'ps', 'ai', 'emf', 'wmf'].map((format) => picture(format, image[format]!)),
  ...['dxf', 'dwg', 'fig', 'cdr'].map((format) => picture(format, vector[format]!)),
  ...['odg', 'vsd', 'vsdx'].map((format) => picture(format, officeDrawings[format]!)),
  picture('ai', imageKinds['postscript.ai'], 'postscript'),
  drawn('scene.svg', 'hand', async (_, output) => writeFile(output, scene())),
  byInkscape('inkscape.svg'),
  drawn('cairo.svg', 'cairo', async ({ pdf }, output) => program('pdftocairo', '-svg', pdf, output)),
  byLibreOffice('office.svg'),
  byMatplotlib('chart.svg'),
  drawn('scene.svgz', 'hand', async ({ svg }, output) => packed(svg, output)),
  drawn('cairo.svgz', 'cairo', async ({ pdf, scratch }, output) => {
    await program('pdftocairo', '-svg', pdf, `${scratch}/in2.svg`)
    await packed(`${scratch}/in2.svg`, output)
  }),
  byInkscape('inkscape.eps'),
  drawn('poppler.eps', 'poppler', async ({ pdf }, output) => program('pdftops', '-eps', pdf, output)),
  byMatplotlib('chart.eps'),
  byInkscape('inkscape.ps'),
  drawn('poppler.ps', 'poppler', async ({ pdf }, output) => program('pdftops', pdf, output)),
  drawn('ghostscript.ps', 'Ghostscript', async ({ pdf }, output) =>
    program('gs', '-q', '-dBATCH', '-dNOPAUSE', '-sDEVICE=ps2write', '-o', output, pdf),
  ),
  drawn('cairo.ai', 'cairo', async ({ pdf }, output) => program('cp', pdf, output)),
  drawn('ghostscript.ai', 'Ghostscript', async ({ pdf }, output) =>
    program('gs', '-q', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite', '-o', output, pdf),
  ),
  byInkscape('inkscape.emf'),
  byLibreOffice('office.emf', cropped),
  byInkscape('inkscape.wmf'),
  byLibreOffice('office.wmf', cropped),
  byLibreOffice('office.odg'),
  byLibreOffice('wordless.odg', { words: false }),
  ...plans,
]
