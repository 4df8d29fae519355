import { libreoffice, type OfficeTask, printMetafile } from '../../engines/libreoffice.ts'
import { pdfinfo, pdftocairo } from '../../engines/poppler.ts'
import type { Job } from '../../kernel/contract.ts'
import { metafile } from '../formats/drawing.ts'
import { toSvg } from './pages.ts'
import type { Reader } from './stages.ts'

/** LibreOffice's filters for reading, by format. */
const filters = { odg: 'draw8', vsd: 'Visio Document', vsdx: 'Visio Document', cdr: 'Corel Draw Document' } as const

/** Draw is a part of what Impress is installed with. */
export const needs = ['uno', 'impress'] as const

/** What LibreOffice is asked to do: read by one filter, write by another. */
export function task(load: string, store: string): string {
  const task: OfficeTask = {
    load: { FilterName: load },
    store: { FilterName: store, NoThumbnail: true },
    service: 'com.sun.star.drawing.DrawingDocument',
  }
  return JSON.stringify(task)
}

/** The filter for a job's source. */
export const filterOf = (job: Job) => filters[job.from as keyof typeof filters]

/** Reads the pages that LibreOffice prints; `asked` gives its task (`OfficeTask`). */
const printed = (from: readonly string[], asked: (job: Job) => string): Reader => ({
  engine: libreoffice,
  needs,
  uses: [pdfinfo, pdftocairo],
  from,
  read: async (job, run) => {
    const pdf = `${job.scratch}/printed.pdf`
    await run(libreoffice, [asked(job)], { output: pdf })
    return toSvg(job, run, pdf)
  },
})

/** Drawings of office programs, page by page. */
export const officeReader: Reader = {
  ...printed(Object.keys(filters), (job) => task(filterOf(job), 'draw_pdf_Export')),
  paged: true,
}

/** Windows metafiles, which LibreOffice draws as Windows does: Inkscape loses clips, masks and places of text. */
export const metafileReader = printed(metafile, (job) => printMetafile(job.from))
