import { ezdxf } from '../../engines/ezdxf.ts'
import { fig2dev } from '../../engines/fig2dev.ts'
import { inkscape } from '../../engines/inkscape.ts'
import { libredwg } from '../../engines/libredwg.ts'
import { potrace } from '../../engines/potrace.ts'
import { mendings } from '../../engines/svg.ts'
import { tracer } from '../../engines/trace.ts'
import { metafile } from '../formats/drawing.ts'
import type { Reader } from './join.ts'
import { modelReaders } from './models.ts'
import { metafileReader, officeReader } from './office.ts'
import { pageReaders } from './pages.ts'

const output = 'drawing.svg'

/** Drawings of one page. */
export const drawingReaders: readonly Reader[] = [
  ...mendings.map((steps) => ({ from: ['svg', 'svgz'], steps })),
  {
    from: metafile,
    engine: inkscape,
    steps: [{ engine: inkscape, output, args: () => ['--export-type=svg', '--export-plain-svg'] }],
  },
  {
    from: ['fig'],
    engine: fig2dev,
    steps: [{ engine: fig2dev, output, args: () => ['-L', 'svg'] }],
  },
]

/** Drawings of CAD programs. */
const planReaders: readonly Reader[] = [
  { from: ['dxf'], engine: ezdxf, steps: [{ engine: ezdxf, needs: ['ezdxf'], output }] },
  {
    from: ['dwg'],
    engine: ezdxf,
    steps: [
      { engine: libredwg, output: 'drawing.dxf' },
      { engine: ezdxf, needs: ['ezdxf'], output },
    ],
  },
]

/** Pictures, which are traced in colour. */
export const pictureReader: Reader = {
  from: ['png', 'jpg', 'webp', 'avif', 'gif'],
  engine: tracer,
  steps: [{ engine: tracer, uses: [potrace], output, args: ({ options }) => [options.density] }],
}

/** All, best first: LibreOffice draws metafiles as Windows does; Inkscape loses clips, masks and text positions. */
export const readers: readonly Reader[] = [
  ...pageReaders,
  metafileReader,
  ...drawingReaders,
  ...planReaders,
  officeReader,
  ...modelReaders,
  pictureReader,
]
