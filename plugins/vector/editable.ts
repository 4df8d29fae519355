import { ghostscript } from '../../engines/ghostscript.ts'
import { libreoffice } from '../../engines/libreoffice.ts'
import { rsvgConvert, scale } from '../../engines/librsvg.ts'
import type { Engine, Job, Route, Run } from '../../kernel/contract.ts'
import { filterOf, needs, task } from './office.ts'
import type { VectorOptions } from './options.ts'
import { distil, pageReaders } from './pages.ts'
import { readers } from './readers.ts'
import type { Reader } from './stages.ts'

/** Pages as shapes and text that can be edited, all in one file. */
const edit = (run: Run, pdf: string) => run(libreoffice, [task('draw_pdf_import', 'draw8')], { input: pdf })

/** ODG out of an SVG drawing, which has one page. */
async function drawn(job: Job<VectorOptions>, run: Run, svg: string): Promise<void> {
  const pdf = `${job.scratch}/drawn.pdf`
  await run(rsvgConvert, ['-f', 'pdf', scale], { input: svg, output: pdf })
  await edit(run, pdf)
}

const odg = (
  from: readonly string[],
  uses: readonly Engine[],
  convert: (job: Job<VectorOptions>, run: Run) => Promise<unknown>,
): Route<VectorOptions> => ({
  ...{ from, to: ['odg'], engine: libreoffice, needs, uses },
  convert: async (job, run) => void (await convert(job, run)),
})

/** By a reader that gives one SVG; those that ask for more than an engine go by way of SVG. */
const byDrawing = (reader: Reader) =>
  odg(reader.from, [reader.engine, ...(reader.uses ?? []), rsvgConvert], async (job, run) =>
    drawn(job, run, (await reader.read(job, run))[0]!),
  )

/** PostScript, of which a drawing (`crop`) is cut to its box. */
const byPages = (from: readonly string[], crop: boolean) =>
  odg(from, [ghostscript], async (job, run) => edit(run, await distil(job, run, crop)))

const drawings = readers.filter((reader) => !reader.paged && !pageReaders.includes(reader))

/** Drawings that Draw can edit. */
export const editable: Route<VectorOptions>[] = [
  odg(['pdf', 'ai'], [], (job, run) => edit(run, job.input)),
  byPages(['eps', 'ai'], true),
  byPages(['ps'], false),
  odg(['vsd', 'vsdx', 'cdr'], [], (job, run) => run(libreoffice, [task(filterOf(job), 'draw8')])),
  ...drawings.filter((reader) => !reader.needs).map(byDrawing),
  { from: drawings.flatMap((reader) => (reader.needs ? reader.from : [])), to: ['odg'], via: 'svg' },
]
