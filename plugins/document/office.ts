import { type Filter, libreoffice, type OfficeTask, pagesIn } from '../../engines/libreoffice.ts'
import { plain } from '../../engines/plain.ts'
import { repack } from '../../engines/repack.ts'
import type { Job, Route, Step } from '../../kernel/contract.ts'
import * as calc from './calc.ts'
import * as draw from './draw.ts'
import * as impress from './impress.ts'
import { strip } from './metadata.ts'

import type { DocumentOptions } from './options.ts'
import { handwritten, translate } from './pandoc.ts'
import * as writer from './writer.ts'

/** One of LibreOffice's applications, as a word of `libreoffice.features`, and what it reads and writes. */
export interface Application {
  part: 'writer' | 'calc' | 'impress'
  service: string
  sources: Readonly<Record<string, Filter>>
  targets: Readonly<Record<string, Filter>>
  /** Settings of the filter that writes PDF. */
  paper?: object
}

export const text: Application = { part: 'writer', service: 'com.sun.star.text.TextDocument', ...writer }
export const sheet: Application = {
  part: 'calc',
  service: 'com.sun.star.sheet.SpreadsheetDocument',
  ...calc,
  paper: { ExportNotes: true },
}
export const show: Application = {
  part: 'impress',
  service: 'com.sun.star.presentation.PresentationDocument',
  ...impress,
}
export const drawing: Application = { part: 'impress', service: 'com.sun.star.drawing.DrawingDocument', ...draw }

/** A media descriptor for a filter. */
const descriptor = (filter: Filter): OfficeTask['load'] => {
  const [FilterName, FilterOptions] = typeof filter === 'string' ? [filter] : (filter ?? [])
  return { ...(FilterName && { FilterName }), ...(FilterOptions && { FilterOptions }) }
}

/** Targets that readers name by their title. LibreOffice writes a title of its own into XHTML without one. */
const entitled = ['pdf', 'html', 'xhtml']

/** Texts that cannot hold tracked changes. */
const final = [writer.targets.txt, writer.targets.html, writer.targets.xhtml]

/**
 * Returns LibreOffice's task, as JSON, for a job that it writes with `filter`.
 *
 * @param data The filter's own settings.
 */
export function task(application: Application, job: Job<DocumentOptions>, filter: Filter, data?: object): string {
  const task: OfficeTask = {
    load: descriptor(application.sources[job.from]),
    // A thumbnail takes three times as long as the document itself.
    store: { ...descriptor(filter), ...(data && { FilterData: data }), NoThumbnail: true },
    service: application.service,
    text: job.from === 'txt',
    strip: job.options.metadata === 'remove',
    title: entitled.includes(job.to) ? job.name : undefined,
    plain: job.to === 'txt',
    final: final.includes(filter),
  }
  return JSON.stringify(task)
}

/** Writes a text in any character set anew in UTF-8, and XHTML as HTML. */
export const legible: Step<DocumentOptions> = {
  engine: plain,
  when: { from: ['txt', 'xhtml'] },
  args: (job) => [job.from === 'xhtml' && '--xhtml'],
  output: 'plain.{from}',
}

/** Every source of an application into every target of it. */
export const office: Route<DocumentOptions>[] = [text, sheet, show, drawing].flatMap((application) => {
  const { part, sources, targets, paper } = application
  const pairs = { from: Object.keys(sources), engine: libreoffice, needs: ['uno', part] }
  const store: Step<DocumentOptions> = {
    engine: libreoffice,
    args: (job) => [task(application, job, targets[job.to], job.to === 'pdf' ? paper : undefined)],
  }
  const print: Step<DocumentOptions> = {
    ...store,
    facts: (lines) => ({
      source: { pages: pagesIn(lines) },
      result: { pages: part === 'writer' ? pagesIn(lines) : undefined },
    }),
    output: 'described.pdf',
  }
  const others = Object.keys(targets).filter((to) => to !== 'pdf')
  return [
    { ...pairs, to: ['pdf'], steps: [legible, print, strip] },
    ...(others.length > 0 ? [{ ...pairs, to: others, steps: [legible, store] }] : []),
  ]
})

/** Plain text in markups, by way of a page without a title. */
export const notes: Route<DocumentOptions> = {
  from: ['txt'],
  to: [...Object.keys(handwritten), 'pptx'],
  needs: ['uno', 'writer'],
  engine: libreoffice,
  steps: [
    legible,
    {
      engine: libreoffice,
      args: (job) => [task(text, { ...job, to: 'page' }, text.targets.html)],
      output: 'page.html',
    },
    ...translate,
  ],
}

/** Shows play when they are opened. LibreOffice writes them as presentations, which do not. */
export const shows: Route<DocumentOptions>[] = [
  {
    from: Object.keys(show.sources),
    to: ['ppsx'],
    needs: ['uno', 'impress'],
    steps: [
      { engine: libreoffice, args: (job) => [task(show, job, show.targets.pptx)], output: 'presentation.pptx' },
      { engine: repack, args: () => ['--show'] },
    ],
  },
]
