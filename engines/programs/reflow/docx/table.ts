import { isDark } from '../colours.ts'
import type { Cell, Table } from '../model.ts'
import type { Parts } from './text.ts'
import { borderOf, paragraph, twips } from './text.ts'

const SIDES = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV']

const content = (cell: Cell, parts: Parts) => {
  parts.dark = isDark(cell.fill)
  const paragraphs = cell.paragraphs.map(({ list: _, ...bare }) => paragraph({ ...bare, left: 0, indent: 0 }, parts))
  parts.dark = false
  return paragraphs.join('') || '<w:p><w:pPr><w:spacing w:before="0" w:after="0"/></w:pPr></w:p>'
}

/** The cells of a row, and of those above that reach down into it. */
function cells(table: Table, index: number): { cell: Cell; first: boolean }[] {
  const found = table.rows
    .slice(0, index + 1)
    .flatMap((row, above) =>
      row.filter(({ rows }) => above + rows > index).map((cell) => ({ cell, first: above === index })),
    )
  const all = found.toSorted((a, b) => a.cell.column - b.cell.column)
  // Word needs a cell for every column.
  const result: typeof all = []
  let column = 0
  for (const one of [...all, undefined]) {
    const next = one?.cell.column ?? table.widths.length
    if (next > column) result.push({ cell: { column, columns: next - column, rows: 1, paragraphs: [] }, first: true })
    if (one && next >= column) result.push(one)
    if (one) column = Math.max(column, next + one.cell.columns)
  }
  return result
}

/** Lines above and below a cell, where only rows have lines. */
function edges({ lines, rows, ruled }: Table, from: number, to: number): string {
  if (ruled) return ''
  const line = (side: string, at: number) => {
    const drawn = lines.find(({ row }) => row === at)
    return drawn && `<w:${side} ${borderOf(drawn)}/>`
  }
  const found = [line('top', from), line('bottom', Math.min(to, rows.length))].filter(Boolean)
  return found.length > 0 ? `<w:tcBorders>${found.join('')}</w:tcBorders>` : ''
}

/** A table, at most `room` points wide. */
export function table(block: Table, parts: Parts, room: number): string {
  const total = block.widths.reduce((sum, one) => sum + one, 0)
  const scale = Math.min(1, room / total)
  const widths = block.widths.map((one) => twips(one * scale))
  const line = block.ruled ? borderOf(block.border ?? { width: 0.5, colour: '#808080' }) : 'w:val="nil"'
  const borders = SIDES.map((side) => `<w:${side} ${line}/>`).join('')
  const rows = block.rows.map((_, index) => {
    const made = cells(block, index).map(({ cell, first }) => {
      const width = widths.slice(cell.column, cell.column + cell.columns).reduce((sum, one) => sum + one, 0)
      const style = [
        `<w:tcW w:w="${width}" w:type="dxa"/>`,
        cell.columns > 1 && `<w:gridSpan w:val="${cell.columns}"/>`,
        cell.rows > 1 && (first ? '<w:vMerge w:val="restart"/>' : '<w:vMerge/>'),
        edges(block, index, index + cell.rows),
        cell.fill && `<w:shd w:val="clear" w:color="auto" w:fill="${cell.fill.slice(1)}"/>`,
        `<w:vAlign w:val="${cell.vertical ?? 'center'}"/>`,
      ]
      return `<w:tc><w:tcPr>${style.filter(Boolean).join('')}</w:tcPr>${content(first ? cell : { ...cell, paragraphs: [] }, parts)}</w:tc>`
    })
    const head = index < block.header ? '<w:tblHeader/>' : ''
    return `<w:tr><w:trPr><w:cantSplit/><w:trHeight w:val="${twips(Math.min(400, block.heights[index] ?? 0))}" w:hRule="atLeast"/>${head}</w:trPr>${made.join('')}</w:tr>`
  })
  const place = block.centred
    ? '<w:jc w:val="center"/>'
    : `<w:tblInd w:w="${twips(Math.min(block.left, Math.max(0, room - total)))}" w:type="dxa"/>`
  const style = `${block.rtl ? '<w:bidiVisual/>' : ''}<w:tblW w:w="${widths.reduce((sum, one) => sum + one, 0)}" w:type="dxa"/>${place}<w:tblBorders>${borders}</w:tblBorders><w:tblLayout w:type="fixed"/><w:tblCellMar><w:left w:w="60" w:type="dxa"/><w:right w:w="60" w:type="dxa"/></w:tblCellMar>`
  const grid = widths.map((width) => `<w:gridCol w:w="${width}"/>`).join('')
  return `<w:tbl><w:tblPr>${style}</w:tblPr><w:tblGrid>${grid}</w:tblGrid>${rows.join('')}</w:tbl>`
}
