import { calibre } from '../../engines/calibre.ts'
import { readHelp } from '../../engines/chm.ts'
import { comic, unpackComic } from '../../engines/comic.ts'
import { cleanBook, fixed, printLeaves } from '../../engines/epub.ts'
import type { Route, Step } from '../../kernel/contract.ts'
import { comics, flowingBook } from '../formats/book.ts'
import { without } from '../formats/family.ts'
import { removes, strip } from './metadata.ts'
import type { DocumentOptions } from './options.ts'

/** Books that become EPUB first. Pandoc reads the others itself; see `markup.ts`. */
const books = without(flowingBook, 'epub', 'fb2')

/** Documents that people turn books into. */
const wanted = ['pdf', 'docx', 'odt', 'rtf', 'txt', 'html', 'md', 'md.zip']

/** Prints comics, a picture a page. */
const album: Route<DocumentOptions> = {
  from: comics,
  to: ['pdf'],
  engine: comic,
  steps: [
    unpackComic,
    { engine: comic, args: (job) => ['--pdf', !removes(job) && `--title=${job.name}`], output: 'described.pdf' },
    strip,
  ],
}

/** Prints a book that flows. */
const print: Step<DocumentOptions> = {
  engine: calibre,
  args: () => ['--paper-size', 'a4', '--pdf-page-numbers', '--preserve-cover-aspect-ratio'],
  output: 'printed.pdf',
}

/** Prints books in their own style: the cover first, the table of contents as the outline. */
export const printed: Route<DocumentOptions>[] = [
  {
    from: ['epub'],
    to: ['pdf'],
    engine: calibre,
    steps: [...printLeaves, { ...print, when: { not: fixed }, input: 'clean.epub' }, strip],
  },
  // Without the programs that print a fixed layout.
  { from: flowingBook, to: ['pdf'], engine: calibre, steps: [readHelp, cleanBook, print, strip] },
  album,
]

/** Documents out of books. */
export const bookish: Route<DocumentOptions>[] = [{ from: books, to: wanted, via: 'epub' }]
