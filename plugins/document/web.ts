import { chromium } from '../../engines/chromium.ts'
import { exiftool } from '../../engines/exiftool.ts'
import type { Route, Step } from '../../kernel/contract.ts'
import { legible } from './legible.ts'
import { unprinted } from './markup.ts'
import { kept, strip } from './metadata.ts'
import type { DocumentOptions } from './options.ts'
import { writePage } from './pandoc.ts'
import { properties } from './properties.ts'

const copied = ['-Title', '-Author', '-Subject', '-Keywords']

/**
 * Prints a page. Of what describes a page, the browser copies only the title: exiftool copies the rest, unless there is
 * none.
 *
 * @param name The output of the step before, or the name under which the page is prepared.
 * @param prepares Whether the page is first prepared for the browser, which would call one without a title by its path,
 *   and refuse bad XHTML.
 */
export const print = (name: string, prepares = false): Step<DocumentOptions>[] => [
  {
    engine: chromium,
    args: ({ from, name: title, scratch }) =>
      prepares ? [`--page=${scratch}/${name}`, `--title=${title}`, from === 'xhtml' && '--xhtml'] : [],
    facts: (lines) => (prepares ? { more: { described: lines.includes('described') } } : {}),
    output: 'described.pdf',
  },
  {
    engine: exiftool,
    when: { ...kept, more: { described: [true, undefined] } },
    args: ({ scratch }) => ['-q', '-m', '-overwrite_original', '-TagsFromFile', `${scratch}/${name}`, copied],
    output: false,
    optional: true,
  },
  strip,
]

const page = (format: string): Route<DocumentOptions> => ({
  from: [format],
  to: ['pdf'],
  engine: chromium,
  steps: print('printable.html', true),
})

/** Pages on paper, as a browser prints them, and markups by way of a page. */
export const web: Route<DocumentOptions>[] = [
  page('html'),
  page('xhtml'),
  {
    from: unprinted,
    to: ['pdf'],
    engine: chromium,
    steps: [...legible, properties, writePage, ...print('page.html')],
  },
]
