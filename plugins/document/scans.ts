import { cp } from '../../engines/cp.ts'
import { lookForText, ocr, readPages, type ScanFacts, someBlank } from '../../engines/ocr.ts'
import type { Facts, Route, Step } from '../../kernel/contract.ts'
import { fail } from '../../kernel/kit.ts'
import { scannable } from '../formats/raster/pictures.ts'
import { kept, strip } from './metadata.ts'
import type { DocumentOptions } from './options.ts'
import { print, printed } from './paper.ts'
import { pdf } from './pdf.ts'

/** Pages without text are read first. If that refuses the file, the conversion continues with the pages as they are. */
const recognise = (to: readonly string[], languages: readonly string[]): readonly Step<DocumentOptions>[] => [
  ...lookForText,
  { ...readPages(to.includes('txt') ? 'text' : 'flow', languages), optional: true },
]

/** Targets of pictures of pages. */
const legible = ['txt', 'md', 'md.zip', 'html', 'docx']

/** The picture on a page. */
const page: Step<DocumentOptions> = { ...print, output: 'page.pdf' }

/** Text of a picture. A picture without any is refused, unless the target can show it. */
const photographed = (route: Route<DocumentOptions>, languages: readonly string[]): Route<DocumentOptions>[] => {
  const to = 'to' in route ? route.to.filter((target) => legible.includes(target)) : []
  if (!('steps' in route) || to.length === 0) return []
  const read = readPages(to.includes('txt') ? 'text' : 'flow', languages)
  const reading = to.includes('txt') ? { ...read, facts: foundIn } : read
  return [{ from: printed, to, engine: ocr, steps: [page, ...lookForText, reading, ...route.steps] }]
}

/** @throws CONVERSION_ERROR if nothing was read. */
function foundIn(lines: readonly string[]): Partial<Facts<ScanFacts>> {
  if (!lines.some((line) => /^read [1-9]/.test(line))) throw fail('CONVERSION_ERROR', 'The picture shows no text')
  return { more: { found: true } }
}

/** PDF with scanned pages: text of them, and PDF with a layer of text behind them. Pages with text stay as they are. */
export const scans = (languages: readonly string[]): Route<DocumentOptions>[] => [
  ...pdf.flatMap((route) => {
    if (!('steps' in route && 'to' in route)) return []
    const { steps, engine = steps[0]!.engine } = route
    return [{ ...route, engine, steps: [...recognise(route.to, languages), ...steps] }]
  }),
  {
    from: ['pdf'],
    to: ['ocr.pdf'],
    steps: [
      ...lookForText,
      readPages('layer', languages),
      { engine: cp, when: { ...kept, not: someBlank }, output: 'same.pdf' },
      strip,
    ],
  },
  ...pdf.flatMap((route) => photographed(route, languages)),
  {
    from: printed,
    to: ['ocr.pdf'],
    engine: ocr,
    steps: [page, ...lookForText, readPages('layer', languages), strip],
  },
  { from: scannable, to: [...legible, 'ocr.pdf'], via: 'tif' },
  { from: ['djvu', 'xps', 'ps'], to: ['ocr.pdf'], via: 'pdf' },
]
