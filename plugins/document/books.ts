import type { Route } from '../../kernel/contract.ts'
import { flowingBook } from '../formats/book.ts'
import { without } from '../formats/family.ts'
import type { DocumentOptions } from './options.ts'

/** Books that become EPUB first. Pandoc reads the others itself; see `markup.ts`. */
const books = without(flowingBook, 'epub', 'fb2')

/** Documents that people turn books into. */
const wanted = ['pdf', 'docx', 'odt', 'rtf', 'txt', 'html', 'md']

/** Documents out of books. */
export const bookish: Route<DocumentOptions>[] = [{ from: books, to: wanted, via: 'epub' }]
