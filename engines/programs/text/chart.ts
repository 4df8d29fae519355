import { escaped } from './markup.ts'

/** Cells that one cell may stand for. */
const MAX_REPEATED = 100

/** Reads a chart out of the elements of flat OpenDocument (OpenDocument 1.3 part 3, §11): its title and its data. */
export interface ChartReader {
  /** @param repeated How many cells in a row the element stands for. */
  open(name: string, repeated?: number): void
  /** Takes text in XML or as it is; `html` shows it as it came. */
  text(part: string): void
  close(name: string): void
  /** A paragraph and a table in HTML; '': there are no data. */
  html(): string
}

const isCell = (name: string) => name === 'table:table-cell'

/** @param encode Makes HTML of text as it comes. Default: text is HTML already. */
export function createChartReader(encode = (text: string) => text): ChartReader {
  let isChart = false
  let title = ''
  let inTitle = false
  let inParagraph = false
  let cell: { text: string; repeated: number } | undefined
  const rows: string[][] = []

  return {
    open(name, repeated = 1) {
      if (name === 'chart:chart') isChart = true
      else if (name === 'chart:title') inTitle = true
      else if (name === 'table:table-row') rows.push([])
      else if (isCell(name)) cell = { text: '', repeated: Math.min(repeated, MAX_REPEATED) }
      else if (name === 'text:p') inParagraph = true
    },
    text(part) {
      if (!inParagraph) return
      if (inTitle) title += part
      else if (cell) cell.text += part
    },
    close(name) {
      if (name === 'chart:title') inTitle = false
      else if (name === 'text:p') inParagraph = false
      else if (isCell(name) && cell) {
        // What a series has no value for.
        const text = cell.text === 'NaN' ? '' : cell.text
        rows.at(-1)?.push(...Array.from({ length: cell.repeated }, () => text))
        cell = undefined
      }
    },
    html() {
      const [head, ...body] = rows.filter((row) => row.length > 0)
      if (!isChart || !head || !body.some((row) => row.slice(1).some((text) => text))) return ''
      const line = (cells: readonly string[], tag: string) =>
        `<tr>${cells.map((text) => `<${tag}>${encode(text)}</${tag}>`).join('')}</tr>`
      const lines = body.map((row) => line(row, 'td')).join('')
      return `${title && `<p>${encode(title)}</p>`}<table><thead>${line(head, 'th')}</thead><tbody>${lines}</tbody></table>\n`
    },
  }
}

/** A reader of text that is not in XML any more. */
export const chartOfText = (): ChartReader => createChartReader(escaped)
