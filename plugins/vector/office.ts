import { libreoffice, type OfficeTask, printMetafile } from '../../engines/libreoffice.ts'
import type { Args, Job } from '../../kernel/contract.ts'
import { metafile } from '../formats/drawing.ts'
import type { Reader } from './join.ts'
import { drawPage, drawPages } from './pages.ts'

/** LibreOffice's import filters by format. */
const filters: Readonly<Record<string, string>> = {
  odg: 'draw8',
  vsd: 'Visio Document',
  vsdx: 'Visio Document',
  cdr: 'Corel Draw Document',
}

/** LibreOffice with Draw, which is installed with Impress. */
export const draw = { engine: libreoffice, needs: ['uno', 'impress'] } as const

/**
 * Arguments to read a job's source and to write it with the filter `store`. `load` replaces the source's own filter.
 */
export function task({ from }: Job, store: string, load = filters[from]): Args {
  const task: OfficeTask = {
    load: { FilterName: load },
    store: { FilterName: store, NoThumbnail: true },
    service: 'com.sun.star.drawing.DrawingDocument',
  }
  return [JSON.stringify(task)]
}

/** Drawings of office programs, page by page. */
export const officeReader: Reader = {
  from: Object.keys(filters),
  engine: libreoffice,
  steps: [{ ...draw, output: 'printed.pdf', args: (job) => task(job, 'draw_pdf_Export') }, ...drawPages],
}

/** Draws a metafile on a page of its size. */
const metafileReaderOf = (from: readonly string[]): Reader => ({
  from,
  engine: libreoffice,
  steps: [{ ...draw, output: 'printed.pdf', args: ({ from }) => [printMetafile(from)] }, drawPage],
})

/** Windows metafiles. */
export const metafileReader = metafileReaderOf(metafile)

/** PICT that draws. */
export const pictReader = metafileReaderOf(['pict'])
