import { ezdxf } from '../../engines/ezdxf.ts'
import { libredwg } from '../../engines/libredwg.ts'
import { rsvgConvert, scale } from '../../engines/librsvg.ts'
import type { Route, Step } from '../../kernel/contract.ts'
import { model } from '../formats/model/models.ts'
import { strip } from './metadata.ts'
import type { DocumentOptions } from './options.ts'

/** From DXF to a page with margins, in the drawing's real size or fitted to paper. */
const plot: readonly Step<DocumentOptions>[] = [
  { engine: ezdxf, needs: ['ezdxf'], output: 'sheet.svg', args: () => ['paper'] },
  { engine: rsvgConvert, output: 'described.pdf', args: () => ['-f', 'pdf', scale] },
  strip,
]

/** Drawings and models, on a page. */
export const drawings: Route<DocumentOptions>[] = [
  { from: ['dxf'], to: ['pdf'], steps: plot },
  { from: ['dwg'], to: ['pdf'], engine: ezdxf, steps: [{ engine: libredwg, output: 'drawing.dxf' }, ...plot] },
  // Pictures in PICT are read before.
  { from: ['fig', 'pict', ...model], to: ['pdf'], via: 'svg' },
]
