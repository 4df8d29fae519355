import { cp } from '../../engines/cp.ts'
import { lookForText, readPages, someBlank } from '../../engines/ocr.ts'
import type { Route, Step } from '../../kernel/contract.ts'
import { kept, strip } from './metadata.ts'
import type { DocumentOptions } from './options.ts'
import { pdf } from './pdf.ts'

/** Pages without text are read first. If that refuses the file, the conversion continues with the pages as they are. */
const recognise = (to: readonly string[], languages: readonly string[]): readonly Step<DocumentOptions>[] => [
  lookForText,
  { ...readPages(to.includes('txt') ? 'text' : 'flow', languages), optional: true },
]

/** PDF with scanned pages: text of them, and PDF with a layer of text behind them. Pages with text stay as they are. */
export const scans = (languages: readonly string[]): Route<DocumentOptions>[] => [
  ...pdf.flatMap((route) => {
    if (!('steps' in route && 'to' in route)) return []
    const { steps, engine = steps[0]!.engine } = route
    return [{ ...route, engine, steps: [...recognise(route.to, languages), ...steps] }]
  }),
  {
    ...{ from: ['pdf'], to: ['ocr.pdf'] },
    steps: [
      lookForText,
      readPages('layer', languages),
      { engine: cp, when: { ...kept, not: someBlank }, output: 'same.pdf' },
      strip,
    ],
  },
  { from: ['djvu', 'xps', 'ps'], to: ['ocr.pdf'], via: 'pdf' },
]
