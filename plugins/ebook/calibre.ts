import { calibre } from '../../engines/calibre.ts'
import { readHelp } from '../../engines/chm.ts'
import { comic, unpackComic } from '../../engines/comic.ts'
import { cleanBook } from '../../engines/epub.ts'
import { mutoolRead } from '../../engines/mupdf.ts'
import { lookForText, readPages } from '../../engines/ocr.ts'
import type { Paper } from '../../engines/programs/sharp/spec.ts'
import { reflow } from '../../engines/reflow.ts'
import { packageFacts, repack, showMetafiles } from '../../engines/repack.ts'
import { sharp } from '../../engines/sharp.ts'
import type { Args, Job, Route, Step } from '../../kernel/contract.ts'
import { comics, flowingBook } from '../formats/book.ts'
import { without } from '../formats/family.ts'
import { readable, scannable } from '../formats/raster/pictures.ts'
import type { EbookOptions } from './options.ts'

const documents = ['docx', 'odt', 'rtf', 'txt', 'html', 'md']
const targets = without(flowingBook, 'prc', 'chm')

/** Targets that can hold pages of a comic. */
const pictured = ['epub', 'mobi', 'azw3', 'fb2', 'htmlz', 'lit']

/** Makes a table of contents from headings where the source has none, or has it only as text. */
const headings = ['--level1-toc', '//h:h1', '--level2-toc', '//h:h2', '--level3-toc', '//h:h3']

function args({ from, to }: Job<EbookOptions>): Args {
  return [
    (documents.includes(from) || from === 'pdf') && headings,
    from === 'md' && ['--formatting-type', 'markdown'],
    // Without the pages that it links to.
    (from === 'html' || from === 'pdf') && ['--max-levels', 0],
    // Keeps the pages as they are, in their own colours.
    comics.includes(from) && '--no-process',
    // Otherwise a book without a cover gets one that calibre draws.
    to === 'epub' && '--no-default-epub-cover',
    // Readers make the table of contents from sections with titles.
    to === 'fb2' && ['--sectionize', 'toc'],
  ]
}

/** Puts a picture on a page. */
const print: Step<EbookOptions> = {
  engine: sharp,
  args: ({ from }, { input, output }) => {
    const spec: Paper = { task: 'paper', input, output, from, strip: false }
    return [JSON.stringify(spec)]
  },
  output: 'page.pdf',
}

/** A book of the text on pages, and of what they show beside it. */
const flow: readonly Step<EbookOptions>[] = [
  { engine: mutoolRead, args: () => [], output: 'pages.jsonl' },
  { engine: reflow, args: () => ['book'], output: 'book.html' },
  { engine: calibre, args },
]

/** Conversions by calibre. Pages of a PDF that have no text are read first, where that is possible. */
export const conversions = (languages: readonly string[]): Route<EbookOptions>[] => [
  {
    from: ['pdf'],
    to: targets,
    engine: calibre,
    steps: [...lookForText, { ...readPages('flow', languages), optional: true }, ...flow],
  },
  {
    from: readable,
    to: ['epub'],
    engine: calibre,
    steps: [print, ...lookForText, readPages('flow', languages), ...flow],
  },
  { from: scannable, to: ['epub'], via: 'tif' },
  { from: ['epub'], to: targets, engine: calibre, steps: [cleanBook, { engine: calibre, args }] },
  { from: ['chm'], to: targets, engine: calibre, steps: [readHelp, { engine: calibre, args }] },
  {
    from: ['docx'],
    to: targets,
    engine: calibre,
    steps: [
      // calibre makes items of a list of headings, and leaves out text boxes and charts.
      { engine: repack, args: () => ['--flow'], facts: packageFacts, output: 'flowing.docx' },
      showMetafiles,
      { engine: calibre, args },
    ],
  },
  // calibre loses the pictures of OpenDocument, and many letters of RTF.
  { from: ['odt', 'rtf'], to: targets, via: 'docx' },
  { from: [...without(flowingBook, 'epub', 'chm'), ...documents], to: targets, engine: calibre, args },
  // With its pictures, but not its frames, which readers do not show.
  { from: ['mht'], to: targets, via: 'html' },
  {
    from: comics,
    to: pictured,
    engine: calibre,
    steps: [unpackComic, { engine: comic, output: 'pages.cbz' }, { engine: calibre, args }],
  },
  { from: without(comics, 'cbz'), to: ['cbz'], engine: comic, steps: [unpackComic, { engine: comic }] },
]
