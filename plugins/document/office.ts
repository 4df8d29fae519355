import { libreoffice, type OfficeTask } from '../../engines/libreoffice.ts'
import { mutoolStrip } from '../../engines/mupdf.ts'
import { plain } from '../../engines/plain.ts'
import { repack } from '../../engines/repack.ts'
import type { Job, Route, Run } from '../../kernel/contract.ts'
import * as calc from './calc.ts'
import * as draw from './draw.ts'
import * as impress from './impress.ts'
import { bare } from './metadata.ts'
import type { DocumentOptions } from './options.ts'
import * as writer from './writer.ts'

/** A filter of LibreOffice by name, with its options; undefined: the one that LibreOffice finds. */
export type Filter = string | readonly [name: string, options: string] | undefined

/** One of LibreOffice's applications, as a word of `libreoffice.features`, and what it reads and writes. */
export interface Application {
  part: 'writer' | 'calc' | 'impress'
  service: string
  sources: Readonly<Record<string, Filter>>
  targets: Readonly<Record<string, Filter>>
}

export const applications: readonly Application[] = [
  { part: 'writer', service: 'com.sun.star.text.TextDocument', ...writer },
  { part: 'calc', service: 'com.sun.star.sheet.SpreadsheetDocument', ...calc },
  { part: 'impress', service: 'com.sun.star.presentation.PresentationDocument', ...impress },
  { part: 'impress', service: 'com.sun.star.drawing.DrawingDocument', ...draw },
]

/** Kinds of text whose character set or separators are looked for. */
const texts: Readonly<Record<string, OfficeTask['text']>> = { txt: 'plain', csv: 'table', tsv: 'table' }

/** A media descriptor for a filter. */
const descriptor = (filter: Filter): OfficeTask['load'] => {
  const [FilterName, FilterOptions] = typeof filter === 'string' ? [filter] : (filter ?? [])
  return { ...(FilterName && { FilterName }), ...(FilterOptions && { FilterOptions }) }
}

/** What LibreOffice is asked to do for a job, when it is to write by `filter`. */
export function task(application: Application, job: Job<DocumentOptions>, filter: Filter): string {
  const task: OfficeTask = {
    load: descriptor(application.sources[job.from]),
    // A picture of the first page takes three times as long as the document itself.
    store: { ...descriptor(filter), NoThumbnail: true },
    service: application.service,
    text: texts[job.from],
    strip: job.options.metadata === 'remove',
    plain: job.to === 'txt',
  }
  return JSON.stringify(task)
}

/** The source, as UTF-8 where it is a text. */
export async function legible(job: Job<DocumentOptions>, run: Run): Promise<string> {
  if (!(job.from in texts)) return job.input
  const text = `${job.scratch}/plain.${job.from}`
  await run(plain, [], { output: text })
  return text
}

/** Every source of an application into every target of it. */
export const office: Route<DocumentOptions>[] = applications.flatMap((application) => {
  const { part, sources, targets } = application
  const { pdf, ...others } = targets
  const from = Object.keys(sources)
  const needs = ['uno', part]
  const write = async (job: Job<DocumentOptions>, run: Run, output: string) =>
    run(libreoffice, [task(application, job, targets[job.to])], { input: await legible(job, run), output })
  const paper: Route<DocumentOptions> = {
    ...{ from, to: ['pdf'], engine: libreoffice, needs, uses: [mutoolStrip, plain] },
    convert: (job, run) => bare(job, run, (output) => write(job, run, output)),
  }
  const to = Object.keys(others)
  const rest: Route<DocumentOptions> = {
    ...{ from: from.filter((format) => !(format in texts)), to, engine: libreoffice, needs },
    args: (job) => [task(application, job, targets[job.to])],
  }
  const written: Route<DocumentOptions> = {
    ...{ from: from.filter((format) => format in texts), to, engine: libreoffice, needs, uses: [plain] },
    convert: async (job, run) => void (await write(job, run, job.output)),
  }
  return [paper, ...(to.length ? [rest, written] : [])].filter(({ from }) => from.length)
})

const impressive = applications[2]!

/** LibreOffice writes shows that play when they are opened as presentations that do not. */
export const shows: Route<DocumentOptions>[] = [
  {
    ...{ from: Object.keys(impressive.sources), to: ['ppsx'] },
    ...{ engine: libreoffice, needs: ['uno', 'impress'], uses: [repack] },
    convert: async (job, run) => {
      const between = `${job.scratch}/presentation.pptx`
      await run(libreoffice, [task(impressive, job, impressive.targets.pptx)], { output: between })
      await run(repack, ['--show'], { input: between })
    },
  },
]
