import { createReadStream } from 'node:fs'
import { SaxesParser } from 'saxes'
import { Refusal } from '../refusal/refusal.ts'
import { type ChartReader, chartOfText } from '../text/chart.ts'
import { escaped } from '../text/markup.ts'
import type { Cell } from './cell.ts'

/** A cell as it is stored and as it is shown, in HTML. `across` and `down` count the cells that it spans. */
export interface SheetCell {
  value: Cell
  html: string
  across: number
  down: number
}

export interface Sheet {
  name: string
  hidden: boolean
  rows: { hidden: boolean; cells: SheetCell[] }[]
  /** The columns that are hidden. */
  hiddenColumns: Set<number>
  /** The data of charts, in HTML. */
  charts: string[]
}

/** A spreadsheet, and what it says of itself: `dc:title` and the like. */
export interface Spreadsheet {
  sheets: Sheet[]
  properties: Map<string, string>
}

/** Most cells of a spreadsheet, with those that are repeated. */
const MAX = 20_000_000

/** What stands in cells or sheets without being of their text: comments, pictures, charts with tables of their own. */
const aside = /^(office:(annotation|forms|scripts|styles|master-styles)|table:(shapes|tracked-changes)|draw:[a-z-]+)$/
const COMMENT = 'office:annotation'
const told = ['dc:title', 'dc:creator', 'meta:initial-creator', 'dc:subject', 'meta:keyword']

type Attributes = Readonly<Record<string, string>>

const count = (attributes: Attributes, name: string) => Number(attributes[`table:number-${name}`] ?? 1)
const isHidden = (attributes: Attributes) => /^(collapse|filter)$/.test(attributes['table:visibility'] ?? '')
const isCell = (name: string) => name === 'table:table-cell' || name === 'table:covered-table-cell'

/**
 * Reads a flat OpenDocument spreadsheet (OpenDocument 1.3 part 3, §9) of any size.
 *
 * @param commented whether `html` of cells ends with their comments, as notes
 */
export async function readSpreadsheet(path: string, commented = false): Promise<Spreadsheet> {
  const sheets: Sheet[] = []
  const properties = new Map<string, string>()
  const undisplayed = new Set<string>()
  let style = ''
  let property = ''
  let text = ''
  let html = ''
  let skipping = 0
  let cells = 0
  let columns = 0
  let cell: Attributes | undefined
  // White space between paragraphs is only layout.
  let isInside = false
  let row: { attributes: Attributes; cells: SheetCell[] } | undefined
  let empty: { hidden: boolean; times: number }[] = []
  let chart: ChartReader | undefined
  let comment: string | undefined
  let notes = ''

  /** Ends a cell. Empty ones at the end of a row are left out. */
  function addCell(own: SheetCell[], attributes: Attributes, isCovered: boolean): void {
    const across = count(attributes, 'columns-spanned')
    const down = count(attributes, 'rows-spanned')
    const one: SheetCell = { value: stored(attributes, text), html: html + notes, across, down }
    const repeated = count(attributes, 'columns-repeated')
    columns += repeated
    if (isCovered || (one.value === '' && across === 1 && down === 1)) return
    while (own.length < columns - repeated) own.push(NOTHING)
    for (let index = 0; index < repeated; index++) own.push(one)
  }

  /** Ends a row. Empty ones at the end of a sheet are left out. */
  function addRow(sheet: Sheet, { attributes, cells: own }: NonNullable<typeof row>): void {
    const hidden = isHidden(attributes)
    const times = count(attributes, 'rows-repeated')
    if (own.every(({ value }) => value === '')) {
      empty.push({ hidden, times })
      return
    }
    cells += (own.length + 1) * times + empty.reduce((sum, gap) => sum + gap.times, 0)
    if (cells > MAX) throw new Refusal(`The spreadsheet has more than ${MAX} cells`, 'RESOURCE_LIMIT')
    for (const gap of empty)
      for (let index = 0; index < gap.times; index++) sheet.rows.push({ hidden: gap.hidden, cells: [] })
    for (let index = 0; index < times; index++) sheet.rows.push({ hidden, cells: own })
    empty = []
  }

  function open(name: string, attributes: Attributes): void {
    if (aside.test(name)) skipping++
    if (name === 'chart:chart') chart = chartOfText()
    chart?.open(name, count(attributes, 'columns-repeated'))
    if (name === COMMENT && commented) comment = ''
    if (comment !== undefined && name === 'text:p') isInside = true
    if (skipping) return
    if (told.includes(name)) property = name
    else if (name === 'style:style') style = attributes['style:name'] ?? ''
    else if (name === 'style:table-properties' && attributes['table:display'] === 'false') undisplayed.add(style)
    else if (name === 'table:table') {
      const hidden = undisplayed.has(attributes['table:style-name'] ?? '')
      sheets.push({ name: attributes['table:name'] ?? '', hidden, rows: [], hiddenColumns: new Set(), charts: [] })
      empty = []
      columns = 0
    } else if (name === 'table:table-column') {
      const repeated = count(attributes, 'columns-repeated')
      if (isHidden(attributes))
        for (let index = 0; index < repeated; index++) sheets.at(-1)?.hiddenColumns.add(columns + index)
      columns += repeated
    } else if (name === 'table:table-row') {
      row = { attributes, cells: [] }
      columns = 0
    } else if (isCell(name)) {
      cell = attributes
      text = ''
      html = ''
      notes = ''
    } else if (cell) {
      if (name === 'text:p') isInside = true
      const added = inline(name, attributes, text === '')
      text += added.text
      html += added.html
    }
  }

  function close(name: string): void {
    const sheet = sheets.at(-1)
    chart?.close(name)
    if (name === 'chart:chart' && chart) {
      sheet?.charts.push(chart.html())
      chart = undefined
    }
    if (skipping) {
      if (aside.test(name)) skipping--
      if (comment !== undefined && name === 'text:p') {
        comment += '\n'
        isInside = false
      }
      if (name === COMMENT && comment !== undefined) {
        notes += `<span class="reflow-footnote">${escaped(comment.trim()).replaceAll('\n', '<br>')}</span>`
        comment = undefined
      }
      return
    }
    if (told.includes(name)) property = ''
    else if (name === 'table:table-row' && row && sheet) addRow(sheet, row)
    else if (isCell(name)) {
      if (row && cell) addCell(row.cells, cell, name === 'table:covered-table-cell')
      cell = undefined
    } else if (name === 'text:p') isInside = false
    else if (name === 'text:a' && cell) html += '</a>'
  }

  function addText(part: string): void {
    chart?.text(part)
    if (comment !== undefined && isInside) comment += part
    if (skipping) return
    if (property) properties.set(property, `${properties.get(property) ?? ''}${part}`)
    else if (isInside && cell) {
      text += part
      html += escaped(part)
    }
  }

  const parser = new SaxesParser({ xmlns: false, position: false })
  // A damaged file is read as far as it goes.
  parser.on('error', () => {})
  parser.on('opentag', ({ name, attributes }) => open(name, attributes))
  parser.on('closetag', ({ name }) => close(name))
  parser.on('text', addText)
  for await (const part of createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 20 })) parser.write(part)
  parser.close()
  return { sheets, properties }
}

/** An empty cell. */
export const NOTHING: SheetCell = { value: '', html: '', across: 1, down: 1 }

/**
 * The value of a cell: ISO 8601 for dates, numbers for amounts and percentages, and the text that is shown for times.
 */
function stored(attributes: Attributes, text: string): Cell {
  const type = attributes['office:value-type']
  if (attributes['calcext:value-type'] === 'error') return text
  if (type === 'boolean') return attributes['office:boolean-value'] === 'true'
  // LibreOffice's type for truth values that have no format of their own.
  if (type === 'float' && (text === 'TRUE' || text === 'FALSE')) return text === 'TRUE'
  if (type === 'date') return (attributes['office:date-value'] ?? text).replace(/\.0+$/, '')
  if (type === 'float' || type === 'percentage' || type === 'currency') return Number(attributes['office:value'])
  return text
}

/** What the start of an element inside a cell adds to its text and to its HTML. */
function inline(name: string, attributes: Attributes, isFirst: boolean): { text: string; html: string } {
  if (name === 'text:p' && !isFirst) return { text: '\n', html: '<br>' }
  if (name === 'text:line-break') return { text: '\n', html: '<br>' }
  if (name === 'text:tab') return { text: '\t', html: ' ' }
  if (name === 'text:s') {
    const spaces = Math.min(Number(attributes['text:c'] ?? 1), 1000)
    return { text: ' '.repeat(spaces), html: '\u00a0'.repeat(spaces) }
  }
  if (name !== 'text:a') return { text: '', html: '' }
  const target = attributes['xlink:href'] ?? ''
  const link = /^(https?|mailto):/.test(target) ? escaped(target).replaceAll('"', '&quot;') : '#'
  return { text: '', html: `<a href="${link}">` }
}
