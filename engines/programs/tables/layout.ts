import { type Cell, textOf } from './cell.ts'
import { cellStyles, styleOf } from './styles.ts'

/** Widths of columns in millimetres: of a character, beside the text, and bounds. */
const CHARACTER = 2
const BESIDE = 4
const MIN_WIDTH = 15
const MAX = 95

/** Millimetres between the margins of A4, upright and across. */
const UPRIGHT = 180
const ACROSS = 267

/** Most times that a sheet is made smaller to fit the width of a page. */
const SMALLEST = 2

/** Rows that decide the width of their columns. */
const ROWS = 1000

/** How a table lies on sheet and paper: its columns' widths in millimetres, and the style of most of their cells. */
export interface Layout {
  widths: number[]
  styles: string[]
}

export function layoutOf(rows: readonly (readonly Cell[])[]): Layout {
  const columns = rows.reduce((max, row) => Math.max(max, row.length), 0)
  const widths = new Array<number>(columns).fill(MIN_WIDTH)
  const styles = new Array<string>(columns).fill('text')
  for (const row of rows.slice(0, ROWS))
    for (const [index, cell] of row.entries()) {
      widths[index] = Math.max(widths[index]!, Math.min(MAX, lengthOf(textOf(cell)) * CHARACTER + BESIDE))
      // The last of these rows is more like the rest than the first, which has the names.
      if (cell !== null && cell !== '') styles[index] = styleOf(cell)
    }
  return { widths, styles }
}

/** Characters of the longest line. Ideographs and the like count twice. */
const lengthOf = (text: string) =>
  Math.max(
    ...text
      .split('\n', 20)
      .map((line) => line.length + (line.match(/[\u1100-\u9fff\uac00-\ud7af\uff01-\uff60]/g)?.length ?? 0)),
  )

/** The styles of a flat OpenDocument spreadsheet. Sheets print without header and footer, across if they are wide. */
export function sheetStyles(widths: readonly number[], layouts: readonly Layout[]): string {
  const pages = layouts.map(({ widths }, index) =>
    page(
      widths.reduce((sum, width) => sum + width, 0),
      index,
    ),
  )
  const columns = widths.map(
    (width, index) =>
      `<style:style style:name="wide${index}" style:family="table-column"><style:table-column-properties style:column-width="${width}mm"/></style:style>`,
  )
  return `<office:styles>
<style:style style:name="Default" style:family="table-cell"><style:text-properties fo:font-family="Liberation Sans" fo:font-size="10pt"/></style:style>
</office:styles><office:automatic-styles>
${[cellStyles, ...columns, ...pages.map(([automatic]) => automatic)].join('\n')}</office:automatic-styles>
<office:master-styles>${pages.map(([, master]) => master).join('\n')}</office:master-styles>
`
}

function page(width: number, index: number): [automatic: string, master: string] {
  const across = width > UPRIGHT
  const size = across
    ? 'fo:page-width="297mm" fo:page-height="210mm" style:print-orientation="landscape"'
    : 'fo:page-width="210mm" fo:page-height="297mm"'
  const fit = width > ACROSS && width <= ACROSS * SMALLEST ? ' style:scale-to-X="1" style:scale-to-Y="0"' : ''
  const off = '<style:header style:display="false"/><style:footer style:display="false"/>'
  return [
    `<style:page-layout style:name="page${index}"><style:page-layout-properties ${size} fo:margin="15mm" style:print="charts drawings grid objects"${fit}/></style:page-layout><style:style style:name="sheet${index}" style:family="table" style:master-page-name="master${index}"><style:table-properties table:display="true"/></style:style>`,
    `<style:master-page style:name="master${index}" style:page-layout-name="page${index}">${off}</style:master-page>`,
  ]
}
