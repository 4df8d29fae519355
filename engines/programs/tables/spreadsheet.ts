import { Refusal } from '../refusal/refusal.ts'
import { escaped, unescaped } from '../text/markup.ts'
import type { Cell } from './cell.ts'
import { tokensIn } from './tokens.ts'

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
}

/** A spreadsheet, and what it says of itself: `dc:title` and the like. */
export interface Spreadsheet {
  sheets: Sheet[]
  properties: Map<string, string>
}

/** Most cells of a spreadsheet, with those that are repeated. */
const MOST = 20_000_000

/** What stands in cells or sheets without being of their text: comments, pictures, charts with tables of their own. */
const aside = /^(office:(annotation|forms|scripts|styles|master-styles)|table:(shapes|tracked-changes)|draw:[a-z-]+)$/
const told = ['dc:title', 'dc:creator', 'meta:initial-creator', 'dc:subject', 'meta:keyword']

const attribute = (tag: string, name: string) => {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
  return value === undefined ? undefined : unescaped(value)
}
const count = (tag: string, name: string) => Number(attribute(tag, `table:number-${name}`) ?? 1)
const isHidden = (tag: string) => /\stable:visibility="(collapse|filter)"/.test(tag)

/** Reads a flat OpenDocument spreadsheet (OpenDocument 1.3 part 3, §9). */
export function readSpreadsheet(path: string): Spreadsheet {
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
  let cell: string | undefined
  // White space between paragraphs is only layout.
  let isInside = false
  let row: { tag: string; cells: SheetCell[] } | undefined

  /** Ends a cell. Empty ones at the end of a row are left out. */
  function addCell(tag: string): void {
    const across = count(tag, 'columns-spanned')
    const down = count(tag, 'rows-spanned')
    const one: SheetCell = { value: stored(tag, text), html, across, down }
    const repeated = count(tag, 'columns-repeated')
    columns += repeated
    if (tag.startsWith('<table:covered') || (one.value === '' && across === 1 && down === 1)) return
    while (row!.cells.length < columns - repeated) row!.cells.push(NOTHING)
    for (let index = 0; index < repeated; index++) row!.cells.push(one)
  }

  /** Ends a row. Empty ones at the end of a sheet are left out. */
  let empty: { hidden: boolean; times: number }[] = []
  function addRow({ tag, cells: own }: NonNullable<typeof row>): void {
    const hidden = isHidden(tag)
    const times = count(tag, 'rows-repeated')
    if (own.every(({ value }) => value === '')) return void empty.push({ hidden, times })
    const { rows } = sheets.at(-1)!
    const before = empty.reduce((sum, { times }) => sum + times, 0)
    cells += (own.length + 1) * times + before
    if (cells > MOST) throw new Refusal(`The spreadsheet has more than ${MOST} cells`, 'RESOURCE_LIMIT')
    for (const gap of [...empty, { hidden, times, cells: own }])
      for (let index = 0; index < gap.times; index++)
        rows.push({ hidden: gap.hidden, cells: 'cells' in gap ? own : [] })
    empty = []
  }

  for (const { tag, text: plain } of tokensIn(path)) {
    if (plain !== undefined) {
      if (skipping) continue
      if (property) properties.set(property, `${properties.get(property) ?? ''}${unescaped(plain)}`)
      else if (isInside) {
        text += unescaped(plain)
        html += plain
      }
      continue
    }
    const name = /^<\/?([^\s/>]+)/.exec(tag)?.[1] ?? ''
    const ends = tag.startsWith('</')
    const single = tag.endsWith('/>')
    if (aside.test(name)) {
      if (!single) skipping += ends ? -1 : 1
    } else if (skipping) continue
    else if (told.includes(name)) property = ends || single ? '' : name
    else if (name === 'style:style') style = attribute(tag, 'style:name') ?? ''
    else if (name === 'style:table-properties' && tag.includes('table:display="false"')) undisplayed.add(style)
    else if (name === 'table:table' && !ends) {
      const hidden = undisplayed.has(attribute(tag, 'table:style-name') ?? '')
      sheets.push({ name: attribute(tag, 'table:name') ?? '', hidden, rows: [], hiddenColumns: new Set() })
      ;[empty, columns] = [[], 0]
    } else if (name === 'table:table-column' && !ends) {
      const repeated = count(tag, 'columns-repeated')
      if (isHidden(tag))
        for (let index = 0; index < repeated; index++) sheets.at(-1)!.hiddenColumns.add(columns + index)
      columns += repeated
    } else if (name === 'table:table-row') {
      if (!ends) [row, columns] = [{ tag, cells: [] }, 0]
      if ((ends || single) && row) addRow(row)
    } else if (name === 'table:table-cell' || name === 'table:covered-table-cell') {
      if (!ends) [cell, text, html] = [tag, '', '']
      if ((ends || single) && row && cell) addCell(cell)
      if (ends || single) cell = undefined
    } else if (cell !== undefined) {
      if (name === 'text:p') isInside = !ends && !single
      const [said, shown] = inline(name, tag, ends, text === '')
      text += said
      html += shown
    }
  }
  return { sheets, properties }
}

/** An empty cell. */
export const NOTHING: SheetCell = { value: '', html: '', across: 1, down: 1 }

/**
 * The value of a cell: ISO 8601 for dates, numbers for amounts and percentages, and the text that is shown for times.
 */
function stored(tag: string, text: string): Cell {
  const type = /\soffice:value-type="(\w+)"/.exec(tag)?.[1]
  if (tag.includes('calcext:value-type="error"')) return text
  if (type === 'boolean') return attribute(tag, 'office:boolean-value') === 'true'
  // LibreOffice's type for truth values that have no format of their own.
  if (type === 'float' && (text === 'TRUE' || text === 'FALSE')) return text === 'TRUE'
  if (type === 'date') return (attribute(tag, 'office:date-value') ?? text).replace(/\.0+$/, '')
  if (type === 'float' || type === 'percentage' || type === 'currency') return Number(attribute(tag, 'office:value'))
  return text
}

/** What an element inside a cell adds to its text and to its HTML. */
function inline(name: string, tag: string, ends: boolean, first: boolean): [text: string, html: string] {
  if (name === 'text:p') return ends || first ? ['', ''] : ['\n', '<br>']
  if (name === 'text:line-break') return ['\n', '<br>']
  if (name === 'text:tab') return ['\t', ' ']
  if (name === 'text:s') {
    const spaces = Math.min(Number(attribute(tag, 'text:c') ?? 1), 1000)
    return [' '.repeat(spaces), '\u00a0'.repeat(spaces)]
  }
  if (name !== 'text:a') return ['', '']
  const target = attribute(tag, 'xlink:href') ?? ''
  return [
    '',
    ends ? '</a>' : `<a href="${/^(https?|mailto):/.test(target) ? escaped(target).replaceAll('"', '&quot;') : '#'}">`,
  ]
}
