import { mutoolRead } from '../../engines/mupdf.ts'
import { pdftotext } from '../../engines/poppler.ts'
import { reflow } from '../../engines/reflow.ts'
import type { Route, Step } from '../../kernel/contract.ts'
import type { DocumentOptions } from './options.ts'
import { write, writers } from './pandoc.ts'
import { properties } from './properties.ts'

/** Describes the pages, with their words, lines and pictures. */
const read: Step<DocumentOptions> = { engine: mutoolRead, args: () => [], output: 'pages.jsonl' }

/** PDF as text that people edit and search. */
export const pdf: Route<DocumentOptions>[] = [
  // In the layout of the page, with form feeds between pages.
  { from: ['pdf'], to: ['txt'], engine: pdftotext, args: () => ['-layout'] },
  {
    ...{ from: ['pdf'], to: ['docx'] },
    steps: [
      read,
      properties,
      {
        engine: reflow,
        input: 'pages.jsonl',
        args: (_, { facts }) => ['docx', JSON.stringify(facts.more?.properties ?? {})],
      },
    ],
  },
  // Word's own format keeps the size of the paper, headers and footers.
  { from: ['pdf'], to: ['odt', 'rtf', 'doc', 'docm', 'dotx', 'dot', 'ott', 'fodt'], via: 'docx' },
  {
    ...{ from: ['pdf'], to: Object.keys(writers).filter((to) => to !== 'txt' && to !== 'docx') },
    steps: [read, { engine: reflow, args: () => ['html'], output: 'flowing.html' }, properties, write],
  },
]
