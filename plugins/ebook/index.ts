import { epub } from '../../engines/epub.ts'
import type { Plugin, Route } from '../../kernel/contract.ts'
import { books } from '../formats/book.ts'
import { declared } from '../formats/family.ts'
import { conversions } from './calibre.ts'
import { comics } from './comic.ts'
import { type EbookOptions, options, type Settings } from './options.ts'

export { settings } from './options.ts'

/** Bytes. A larger book takes more than a few seconds. */
const large = 2_000_000

/** Makes a book smaller. */
const optimisation: Route<EbookOptions> = { transform: ['epub'], engine: epub, args: () => [] }

/** Converts books and documents into books for every kind of reader. */
export default function ebook({ settings }: { settings: Settings }) {
  return {
    category: 'ebook',
    formats: declared(books),
    options,
    wanted: ['epub', 'pdf', 'mobi', 'azw3', 'docx', 'txt', 'html', 'fb2', 'rtf', 'odt', 'md', 'cbz'],
    routes: [...conversions(settings.ocr.languages), ...comics, optimisation],
    heavy: ({ from, size }) => size > large || from === 'pdf',
  } satisfies Plugin<EbookOptions>
}
