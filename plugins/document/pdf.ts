import { pdftohtml, pdftoppm, pdftotext } from '../../engines/poppler.ts'
import { reflow } from '../../engines/reflow.ts'
import type { Condition, Facts, Route, Step } from '../../kernel/contract.ts'
import type { DocumentOptions } from './options.ts'
import { write, writers } from './pandoc.ts'
import { properties } from './properties.ts'

/** Pages without text and pictures that are shown at most; the others are left out. */
const MOST = 50

/** Holds where there are such pages. */
const drawn: Condition = { more: { isDrawn: [true] } }

/** The numbers of such pages, which reflow printed. */
function drawnIn(lines: readonly string[]): Partial<Facts> {
  const numbers = lines.join(' ').match(/\d+/g)?.slice(0, MOST)
  return numbers ? { more: { isDrawn: true, numbers } } : {}
}

/** Makes a picture of each, as pdftohtml leaves out lines and letters that are drawn as lines. */
const draw: Step<DocumentOptions> = {
  engine: pdftoppm,
  when: drawn,
  input: 'source',
  output: false,
  convert: async (job, run, { facts }) => {
    for (const page of facts.more!.numbers as string[])
      await run(pdftoppm, ['-png', '-r', 110, '-singlefile', '-f', page, '-l', page], {
        output: `${job.scratch}/page-${page}`,
      })
    return undefined
  },
}

/** PDF as text that people edit and search. */
export const pdf: Route<DocumentOptions>[] = [
  // In the layout of the page, with form feeds between pages.
  { from: ['pdf'], to: ['txt'], engine: pdftotext, args: () => ['-layout'] },
  {
    ...{ from: ['pdf'], to: Object.keys(writers).filter((to) => to !== 'txt') },
    steps: [
      { engine: pdftohtml, args: () => ['-xml', '-fmt', 'png', '-zoom', 1], output: 'pages.xml' },
      { engine: reflow, facts: drawnIn, output: 'flowing.html' },
      draw,
      // Finds the pictures beside its input.
      { engine: reflow, when: drawn, input: 'pages.xml', output: 'drawn.html' },
      properties,
      write,
    ],
  },
  { from: ['pdf'], to: ['doc', 'docm', 'dotx', 'dot', 'ott', 'fodt'], via: 'docx' },
]
