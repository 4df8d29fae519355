/**
 * Writes the pages of a PDF, as `mupdf/read.js` describes them, as a document that flows: `write.ts INPUT OUTPUT FORMAT
 * [FACTS]`. FORMAT is docx, pptx or html, linked for HTML that names its pictures instead of holding them, marked for
 * the same with marks of pages, book for HTML with its title and author, or csv, tsv and fods for its tables. FACTS is
 * JSON: what describes the document; for fods, it is the format of a spreadsheet that the file becomes.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { Refusal, report } from '../refusal/refusal.ts'
import { escaped, page } from '../text/markup.ts'
import { documentOf } from './document.ts'
import { type Facts, writeDocx } from './docx/package.ts'
import { documentHtml } from './html.ts'
import type { Page } from './model.ts'
import { readPages } from './pages.ts'
import { writePptx } from './pptx/package.ts'
import { writeSeparated, writeSheets } from './sheets.ts'

const types: Readonly<Record<string, string>> = { '.png': 'image/png', '.jpg': 'image/jpeg' }

/** Moves footnotes to the end, with links to and fro. */
function endnotes(html: string): string {
  const notes: string[] = []
  const text = html.replace(/<span class="reflow-footnote">([\s\S]*?)<\/span>/g, (_, note) => {
    const number = notes.push(note)
    return `<sup><a id="mark${number}" href="#note${number}">${number}</a></sup>`
  })
  const list = notes.map(
    (note, index) => `<p id="note${index + 1}"><a href="#mark${index + 1}">${index + 1}</a> ${note}</p>`,
  )
  return text.replace('</body>', () => `${list.join('\n')}</body>`)
}

/** Adds what describes a book, where calibre looks for it. */
const titled = (html: string, { title = '', author = '' }: Facts) =>
  html.replace(
    '<title></title>',
    () => `<title>${escaped(title)}</title><meta name="author" content="${escaped(author).replaceAll('"', '&quot;')}">`,
  )

/** Whether anything of a page has a place in a text, or on a slide. */
const hasContent = ({ words, pictures, figures, boxes, rules }: Page, isSlide: boolean) =>
  [words, pictures, figures, ...(isSlide ? [boxes, rules] : [])].some((parts) => parts.length > 0)

async function write([input, output, format, facts]: string[]): Promise<void> {
  const pathOf = (name: string) => join(dirname(input!), basename(name))
  const { pages, outline, facts: own } = readPages(readFileSync(input!, 'utf8'))
  if (!pages.some((page) => page && hasContent(page, format === 'pptx')))
    throw new Refusal('The PDF shows neither text nor pictures; it may be damaged')
  const document = documentOf(pages, outline)
  if (format === 'pptx')
    return writePptx(documentOf(pages, outline, true), pages, JSON.parse(facts ?? '{}'), pathOf, output!)
  if (format === 'docx') return writeDocx(document, JSON.parse(facts ?? '{}'), pathOf, output!)
  if (format === 'fods') return writeSheets(document, pages, output!, facts!)
  if (format === 'csv' || format === 'tsv')
    return writeSeparated(document, pages, output!, format === 'csv' ? ',' : '\t')
  const picture = (name: string) =>
    format === 'linked' || format === 'marked'
      ? pathOf(name)
      : `data:${types[extname(name)]};base64,${readFileSync(pathOf(name)).toString('base64')}`
  const html = page(documentHtml(document, picture, format === 'marked'))
  writeFileSync(output!, format === 'book' ? titled(endnotes(html), own) : html)
}

try {
  await write(process.argv.slice(2))
} catch (error) {
  report(error)
}
