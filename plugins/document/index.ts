import type { Plugin } from '../../kernel/contract.ts'
import { bookish } from './books.ts'
import { drawings } from './drawings.ts'
import { flowings } from './flowing.ts'
import { formats } from './formats.ts'
import { detours, markup } from './markup.ts'
import { office, shows } from './office.ts'
import { optimisations } from './optimise.ts'
import { type DocumentOptions, options } from './options.ts'
import { papers } from './paper.ts'
import { pdf } from './pdf.ts'
import { tabular } from './tables.ts'
import { web } from './web.ts'

/** Texts, sheets, slides and data, made from one another, from books and from pictures. */
export default {
  category: 'document',
  formats,
  options,
  wanted: ['pdf', 'docx', 'txt', 'html', 'odt', 'md', 'rtf', 'epub', 'jpg', 'png', 'doc', 'mobi'],
  routes: [
    ...tabular,
    ...web,
    ...pdf,
    ...markup,
    ...flowings,
    ...office,
    ...shows,
    ...papers,
    ...detours,
    ...bookish,
    ...drawings,
    ...optimisations,
  ],
  heavy: ({ size }) => size > 20_000_000,
} satisfies Plugin<DocumentOptions>
