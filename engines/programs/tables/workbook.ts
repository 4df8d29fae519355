import { closeSync, openSync, writeSync } from 'node:fs'
import { Refusal } from '../refusal/refusal.ts'
import { inElement } from '../text/markup.ts'
import { type Cell, textOf } from './cell.ts'
import { layoutOf, sheetStyles } from './layout.ts'
import { isNumber, styleOf } from './styles.ts'

/** Rows and columns that a sheet holds. */
const MAX: Readonly<Record<string, readonly [rows: number, columns: number]>> = { xls: [65_536, 256] }
const MODERN = [1_048_576, 16_384] as const

/** Characters that are written at once. */
const BLOCK = 1 << 20

const NAMESPACES = ['office', 'table', 'text', 'style', 'number']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name === 'number' ? 'datastyle' : name}:1.0"`)
  .concat('xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"')
  .join(' ')

/**
 * Writes tables as a flat OpenDocument spreadsheet (OpenDocument 1.3 part 3, §9), in which every cell has its type. So
 * LibreOffice takes no text for a number, a date or a formula.
 *
 * @param tables Rows by the name of their sheet.
 * @param to The format that it becomes. Rejects with RESOURCE_LIMIT if that has fewer rows or columns.
 */
export function writeWorkbook(path: string, tables: Readonly<Record<string, Cell[][]>>, to: string): void {
  const file = openSync(path, 'w')
  let block = ''
  const put = (text: string) => {
    block += text
    if (block.length < BLOCK) return
    writeSync(file, block)
    block = ''
  }
  const sheets = Object.entries(tables).map(([name, rows]) => ({ name, rows, layout: layoutOf(rows) }))
  for (const { rows, layout } of sheets) check(rows.length, layout.widths.length, to)
  const widths = [...new Set(sheets.flatMap(({ layout }) => layout.widths))]
  put(`<?xml version="1.0" encoding="UTF-8"?>\n<office:document ${NAMESPACES} office:version="1.3" `)
  put('office:mimetype="application/vnd.oasis.opendocument.spreadsheet">')
  put(
    sheetStyles(
      widths,
      sheets.map(({ layout }) => layout),
    ),
  )
  put('<office:body><office:spreadsheet>')
  const taken = new Set<string>()
  for (const [index, { name, rows, layout }] of sheets.entries()) {
    put(`<table:table table:name="${quoted(sheetName(name, taken))}" table:style-name="sheet${index}">`)
    for (const [column, width] of layout.widths.entries())
      put(
        `<table:table-column table:style-name="wide${widths.indexOf(width)}" table:default-cell-style-name="${layout.styles[column]}"/>`,
      )
    for (const row of rows) {
      const high = row.some((value) => styleOf(value) === 'long') ? ' table:style-name="high"' : ''
      put(
        `<table:table-row${high}>${row.map((value, column) => cell(value, layout.styles[column]!)).join('')}</table:table-row>\n`,
      )
    }
    put('</table:table>')
  }
  put('</office:spreadsheet></office:body></office:document>\n')
  writeSync(file, block)
  closeSync(file)
}

function check(rows: number, columns: number, to: string): void {
  const [max, widest] = MAX[to] ?? MODERN
  if (rows <= max && columns <= widest) return
  const has = `${rows} rows and ${columns} columns`
  const holds = `${max} rows and ${widest} columns`
  throw new Refusal(`The table has ${has}, and a sheet of ${to} holds ${holds}`, 'RESOURCE_LIMIT')
}

const quoted = (text: string) => inElement(text).replaceAll('"', '&quot;')

/** A valid name of a sheet, as Excel limits it, that is not `taken` yet. */
function sheetName(name: string, taken: Set<string>): string {
  const safe =
    name
      .replace(/[[\]:*?/\\\p{Cc}]/gu, '_')
      .replace(/^'|'$/g, '_')
      .trim() || 'Sheet'
  const short = (end: string) => `${[...safe].slice(0, 31 - end.length).join('')}${end}`
  let count = 1
  let unique = short('')
  while (taken.has(unique.toLowerCase())) unique = short(` ${++count}`)
  taken.add(unique.toLowerCase())
  return unique
}

/** A cell, without a style where its column has the same. */
function cell(value: Cell, usual: string): string {
  if (value === null || value === '') return '<table:table-cell/>'
  const style = styleOf(value)
  const text = textOf(value)
  const open = `<table:table-cell${style === usual ? '' : ` table:style-name="${style}"`} office:`
  if (typeof value === 'boolean') return `${open}value-type="boolean" office:boolean-value="${text}"/>`
  if (isNumber(style)) return `${open}value-type="float" office:value="${text}"/>`
  return `${open}value-type="string">${paragraphs(text)}</table:table-cell>`
}

/** The lines of a text, with white space that XML readers would collapse as elements (§6.1.3). */
const paragraphs = (text: string) =>
  inElement(text)
    .split(/\r\n|[\n\r]/)
    .map((line) =>
      line.replaceAll('\t', '<text:tab/>').replace(/^ | $| {2,}/g, ({ length }) => `<text:s text:c="${length}"/>`),
    )
    .map((line) => `<text:p>${line}</text:p>`)
    .join('')
