import { libreoffice } from '../../engines/libreoffice.ts'
import { mutoolRead } from '../../engines/mupdf.ts'
import type { ScanFacts } from '../../engines/ocr.ts'
import { pdftotext } from '../../engines/poppler.ts'
import { reflow } from '../../engines/reflow.ts'
import { wordsOfPdf } from '../../engines/sed.ts'
import { tables } from '../../engines/tables.ts'
import type { Condition, Route, Step } from '../../kernel/contract.ts'
import { sheet, task } from './office.ts'
import type { DocumentOptions } from './options.ts'
import { pack, write, writers } from './pandoc.ts'
import { type PropertyFacts, properties } from './properties.ts'

/** Describes the pages, with their words, lines and pictures. */
const read: Step<DocumentOptions> = { engine: mutoolRead, args: () => [], output: 'pages.jsonl' }

/** Pandoc reads the pictures of these from files. As data, large ones would need too much memory. */
const linked = ['md', 'html', 'xhtml', 'odt', 'rtf']

/** Writes a spreadsheet whose cells have types already. */
const store: Step<DocumentOptions> = {
  engine: libreoffice,
  args: (job) => [task(sheet, { ...job, from: 'fods' }, sheet.targets[job.to])],
}

/** The text as a page that pandoc reads. */
const flow: Step<DocumentOptions> = {
  engine: reflow,
  args: ({ to }) => [to === 'md.zip' ? 'marked' : linked.includes(to) ? 'linked' : 'html'],
  output: 'flowing.html',
}

const turned: Condition<DocumentOptions, ScanFacts> = { more: { turned: [true] } }

/**
 * With form feeds between pages; in the layout of the page, or in the order in which scanned pages were read. Poppler
 * takes vertical text apart, and turns Arabic ligatures.
 */
const plain: Step<DocumentOptions, ScanFacts> = {
  engine: pdftotext,
  when: { not: turned },
  output: 'text.txt',
  args: (_, { facts: { more } }) => [(more?.blank !== 'all' || !more.found) && '-layout'],
}

/** Writes paragraphs, with what describes the document. */
const rebuilt: Step<DocumentOptions, PropertyFacts> = {
  engine: reflow,
  input: 'pages.jsonl',
  args: ({ to }, { facts }) => [to, JSON.stringify(facts.more?.properties ?? {})],
}

/** PDF with text as text that people edit and search, and its tables as spreadsheets. */
export const pdf: Route<DocumentOptions>[] = [
  {
    from: ['pdf'],
    to: ['txt'],
    steps: [
      plain,
      { engine: wordsOfPdf, when: { not: turned }, output: false },
      ...[read, flow, write].map((step) => ({ ...step, when: turned })),
    ],
  },
  {
    from: ['pdf'],
    to: ['docx', 'pptx'],
    steps: [read, properties, rebuilt],
  },
  {
    from: ['pdf'],
    to: ['csv', 'tsv'],
    steps: [
      read,
      { engine: reflow, args: ({ to }) => [to], output: 'sheets.{to}' },
      { engine: tables, args: (job) => ['sheets', job.to, job.scratch, job.pages, job.name] },
    ],
  },
  {
    from: ['pdf'],
    to: ['xlsx', 'xls', 'xlsm', 'ods', 'fods'],
    needs: ['uno', 'calc'],
    engine: libreoffice,
    steps: [read, { engine: reflow, args: ({ to }) => ['fods', to], output: 'literal.fods' }, store],
  },
  // Word's own format keeps the size of the paper, headers and footers.
  { from: ['pdf'], to: ['odt', 'rtf', 'doc', 'docm', 'dotx', 'dot', 'ott', 'fodt'], via: 'docx' },
  {
    from: ['pdf'],
    to: Object.keys(writers).filter((to) => !['txt', 'docx', 'pptx'].includes(to)),
    steps: [read, flow, properties, write, pack],
  },
]
