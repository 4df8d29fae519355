import { utimesSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { Refusal } from '../refusal/refusal.ts'
import { typed } from '../tables/cell.ts'
import { writeRows } from '../tables/separated.ts'
import { writeWorkbook } from '../tables/workbook.ts'
import { linesOf, parts, textOf } from './lines.ts'
import type { Block, Cell, Document, Page, Span, Table } from './model.ts'
import { isRtl } from './pages.ts'
import { plainText } from './spans.ts'

const RAISED = { sup: '⁰¹²³⁴⁵⁶⁷⁸⁹', sub: '₀₁₂₃₄₅₆₇₈₉' }

/** The text of a cell. Raised digits are written as such: 12¹ must not become 121. */
const spanText = ({ text, raised }: Span) =>
  raised ? text.replace(/\d/g, (digit) => RAISED[raised][Number(digit)]!) : text

const cellText = ({ paragraphs }: Cell) => paragraphs.map(({ spans }) => spans.map(spanText).join('').trim()).join('\n')

function rowsOf({ rows, widths }: Table): string[][] {
  return rows.map((row) => {
    const texts = widths.map(() => '')
    for (const cell of row) texts[cell.column] = cellText(cell)
    return texts
  })
}

/** The name of a table: its caption or the heading above it. */
function nameOf(above: Block | undefined, number: number): string {
  const text = above?.kind === 'paragraph' ? plainText(above.spans).replace(/\s+/g, ' ').trim() : ''
  const isName = above?.kind === 'paragraph' && (above.heading || /^(table|tabelle|tableau|tabla)\s*\d/i.test(text))
  return isName && text.length <= 60 ? text : `Table ${number}`
}

/** The lines of a PDF without tables as rows; wide gaps separate cells. */
function linesAsRows(pages: readonly (Page | null)[]): string[][] {
  const lines = pages.flatMap((page) => linesOf(page?.words.filter(({ turn }) => turn === 0) ?? []))
  return lines.map((line) => {
    const cells = parts(line, 1.2 * line.size).map((own) => line.words.filter((word) => own.includes(word)))
    const texts = cells.map((words) =>
      words.map(({ text, spaced }, at) => (at > 0 && spaced ? ` ${text}` : text)).join(''),
    )
    return isRtl(textOf(line)) ? texts.reverse() : texts
  })
}

/**
 * The tables of a document by their names, or all its lines as one.
 *
 * @throws Refusal if it has no text
 */
function tablesOf({ sections }: Document, pages: readonly (Page | null)[]): Record<string, string[][]> {
  const blocks = sections.flatMap(({ pages }) => pages.flat())
  const found: Record<string, string[][]> = {}
  for (const [index, block] of blocks.entries()) {
    if (block.kind !== 'table') continue
    const number = Object.keys(found).length + 1
    const name = nameOf(blocks[index - 1], number)
    found[name in found ? `${name} (${number})` : name] = rowsOf(block)
  }
  if (Object.keys(found).length > 0) return found
  const lines = linesAsRows(pages)
  if (lines.length === 0) throw new Refusal('The PDF has no text that could become a table')
  return { Text: lines }
}

/** Writes each table as a sheet of a flat OpenDocument spreadsheet, which becomes a file of the format `to`. */
export function writeSheets(document: Document, pages: readonly (Page | null)[], output: string, to: string): void {
  const tables = Object.entries(tablesOf(document, pages))
  writeWorkbook(output, Object.fromEntries(tables.map(([name, rows]) => [name, rows.map((row) => row.map(typed))])), to)
}

/** Writes each table to a file of its own, `sheets-NAME.csv` beside the output, as `tables` collects them. */
export function writeSeparated(
  document: Document,
  pages: readonly (Page | null)[],
  output: string,
  separator: string,
): void {
  for (const [index, [name, rows]] of Object.entries(tablesOf(document, pages)).entries()) {
    const file = join(dirname(output), `sheets-${name.replace(/[\\/:*?"<>|\p{Cc}]/gu, '_')}${extname(output)}`)
    writeFileSync(file, writeRows(rows, separator))
    // Their times are their order.
    const time = Date.now() / 1000 + index / 100
    utimesSync(file, time, time)
  }
}
