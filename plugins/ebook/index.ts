import type { Plugin } from '../../kernel/contract.ts'
import { formats } from './formats.ts'
import { type EbookOptions, options } from './options.ts'

/** Books, for every kind of reader. */
export default {
  category: 'ebook',
  formats,
  options,
  wanted: ['epub', 'pdf', 'mobi', 'azw3', 'docx', 'txt', 'html', 'fb2', 'rtf', 'odt', 'md', 'cbz'],
  routes: [],
} satisfies Plugin<EbookOptions>
