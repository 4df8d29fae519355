import { chromium } from '../../engines/chromium.ts'
import { exiftool } from '../../engines/exiftool.ts'
import { plain } from '../../engines/plain.ts'
import type { Route, Step } from '../../kernel/contract.ts'
import { legible } from './legible.ts'
import { unprinted } from './markup.ts'
import { kept, strip } from './metadata.ts'
import type { DocumentOptions } from './options.ts'
import { writePage } from './pandoc.ts'
import { properties } from './properties.ts'

const copied = ['-Title', '-Author', '-Subject', '-Keywords']

/**
 * Prints what the step before wrote. Of what describes a page, the browser copies only the title: exiftool copies the
 * rest.
 *
 * @param page The name of that step's output.
 */
export const print = (page: string): Step<DocumentOptions>[] => [
  { engine: chromium, output: 'described.pdf' },
  {
    engine: exiftool,
    when: kept,
    args: ({ scratch }) => ['-q', '-m', '-overwrite_original', '-TagsFromFile', `${scratch}/${page}`, copied],
    output: false,
    optional: true,
  },
  strip,
]

/** Prepares a page for the browser, which would call one without a title by its path, and refuse bad XHTML. */
export const printable: Step<DocumentOptions> = {
  engine: plain,
  args: (job) => [job.from === 'xhtml' && '--xhtml', `--title=${job.name}`],
  output: 'printable.html',
}

const page = (format: string): Route<DocumentOptions> => ({
  ...{ from: [format], to: ['pdf'], engine: chromium },
  steps: [printable, ...print('printable.html')],
})

/** Pages on paper, as a browser prints them, and markups by way of a page. */
export const web: Route<DocumentOptions>[] = [
  page('html'),
  page('xhtml'),
  {
    ...{ from: unprinted, to: ['pdf'], engine: chromium },
    steps: [...legible, properties, writePage, ...print('page.html')],
  },
]
