import type { Route } from '../../kernel/contract.ts'
import { flowingBook } from '../formats/book.ts'
import { without } from '../formats/family.ts'
import type { DocumentOptions } from './options.ts'

/** Books that become an EPUB first; what pandoc reads itself is in `markup.ts`. */
const books = without(flowingBook, 'epub', 'fb2')

/** What people want books to be beside books. */
const wanted = ['pdf', 'docx', 'odt', 'rtf', 'txt', 'html', 'md']

/** Documents out of books. */
export const bookish: Route<DocumentOptions>[] = [{ from: books, to: wanted, via: 'epub' }]
