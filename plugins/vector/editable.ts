import { distil } from '../../engines/drawn-pages.ts'
import { rsvgConvert, scale } from '../../engines/librsvg.ts'
import type { Route, Step } from '../../kernel/contract.ts'
import { metafile } from '../formats/drawing.ts'
import type { Reader } from './join.ts'
import { modelReaders } from './models.ts'
import { draw, task } from './office.ts'
import type { VectorOptions } from './options.ts'
import { distilDrawing } from './pages.ts'
import { drawingReaders, pictureReader } from './readers.ts'

/** From PDF to editable shapes and text, all pages in one file. */
const edit: Step<VectorOptions> = { ...draw, args: (job) => task(job, 'draw8', 'draw_pdf_import') }

const odg = (from: readonly string[], ...steps: Step<VectorOptions>[]): Route<VectorOptions> => ({
  from,
  to: ['odg'],
  engine: draw.engine,
  steps,
})

/** Via the reader's SVG, which has one page. */
const drawn = ({ from, steps }: Reader) =>
  odg(from, ...steps, { engine: rsvgConvert, output: 'drawn.pdf', args: () => ['-f', 'pdf', scale] }, edit)

/** Drawings that LibreOffice Draw can edit. */
export const editable: readonly Route<VectorOptions>[] = [
  odg(['pdf', 'ai'], edit),
  odg(['eps', 'ai'], distilDrawing, edit),
  odg(['ps'], distil, edit),
  odg(['vsd', 'vsdx', 'cdr'], { ...draw, args: (job) => task(job, 'draw8') }),
  ...[...drawingReaders, ...modelReaders, pictureReader].map(drawn),
  { from: ['dxf', 'dwg', ...metafile], to: ['odg'], via: 'svg' },
]
