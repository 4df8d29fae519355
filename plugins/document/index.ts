import type { Plugin } from '../../kernel/contract.ts'
import { declared } from '../formats/family.ts'
import { data, markups, plainText, webPages } from '../formats/markup/markups.ts'
import { diagrams } from '../formats/office/diagrams.ts'
import { mails } from '../formats/office/mails.ts'
import { sheets } from '../formats/office/sheets.ts'
import { slides } from '../formats/office/slides.ts'
import { olderTexts, texts } from '../formats/office/texts.ts'
import { pages } from '../formats/page/pages.ts'
import { archives } from './archives.ts'
import { bookish, printed } from './books.ts'
import { drawings } from './drawings.ts'
import { flowings } from './flowing.ts'
import { losses } from './losses.ts'
import { detours, markup } from './markup.ts'
import { notes, office, shows } from './office.ts'
import { optimisations } from './optimise.ts'
import { type DocumentOptions, options, type Settings } from './options.ts'
import { papers } from './paper.ts'
import { pdf } from './pdf.ts'
import { scans } from './scans.ts'
import { tabular } from './tables.ts'
import { web } from './web.ts'

export { settings } from './options.ts'

/** Bytes of a PDF that may have so many pages without text that reading them takes long. */
const long = 500_000

/** Converts texts, sheets, slides, records and mails into one another; books, drawings and pictures into documents. */
export default function document({ settings }: { settings: Settings }) {
  const { languages } = settings.ocr
  const papery = [...tabular, ...printed, ...web, ...markup, ...office, ...papers, ...detours, ...bookish, ...drawings]
  return {
    category: 'document',
    formats: declared(
      ...[texts, plainText, webPages, markups, pages, sheets, slides, diagrams],
      ...[olderTexts, data, mails],
    ),
    options,
    losses,
    wanted: ['pdf', 'docx', 'txt', 'html', 'odt', 'md', 'rtf', 'epub', 'jpg', 'png', 'doc', 'mobi'],
    routes: [
      ...tabular,
      ...printed,
      ...web,
      ...scans(languages),
      ...pdf,
      ...markup,
      ...flowings,
      ...office,
      ...shows,
      notes,
      ...papers,
      ...detours,
      ...bookish,
      ...drawings,
      ...archives(papery),
      ...optimisations,
    ],
    heavy: ({ from, to, size }) =>
      size > 20_000_000 || to === 'ocr.pdf' || (from === 'pdf' && size > long && to !== 'pdf'),
  } satisfies Plugin<DocumentOptions>
}
