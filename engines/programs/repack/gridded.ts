const MARKS = /<(\/?)w:(tbl|tblGrid|gridCol|tr|tc|gridSpan)(?=[\s/>])([^<>]*?)(\/?)>/g

/** A table that is open: where its rows and its grid are, the columns that the grid has and those that rows need. */
interface Table {
  rows?: number
  grid: [number, number]
  widths: number
  row: number
  columns: number
}

/**
 * A Word document in which every table has a grid of all its columns. Readers leave out cells beyond the grid, and some
 * libraries write none, or one without widths.
 */
export function gridded(xml: string): string {
  const open: Table[] = []
  const changes: { from: number; to: number; text: string }[] = []
  for (const { 0: mark, 1: closing, 2: name, 3: attributes = '', 4: empty, index } of xml.matchAll(MARKS)) {
    const table = open.at(-1)
    const end = index + mark.length
    if (name === 'tbl' && !closing) open.push({ grid: [0, 0], widths: 0, row: 0, columns: 0 })
    else if (!table) continue
    else if (name === 'tblGrid') table.grid = [closing ? table.grid[0] : index, end]
    else if (name === 'gridCol') table.widths += /\sw:w="\d+"/.test(attributes) ? 1 : 0
    else if (name === 'tc') table.row += closing || empty ? 0 : 1
    else if (name === 'gridSpan') table.row += Math.min(Number(/\sw:val="(\d+)"/.exec(attributes)?.[1] ?? 1), 63) - 1
    else if (name === 'tr' && !closing) {
      table.rows ??= index
      table.row = 0
    } else if (name === 'tr') table.columns = Math.max(table.columns, table.row)
    else {
      open.pop()
      if (table.rows === undefined || table.widths >= table.columns) continue
      const [from, to] = table.grid[1] ? table.grid : [table.rows, table.rows]
      changes.push({ from, to, text: `<w:tblGrid>${'<w:gridCol w:w="1"/>'.repeat(table.columns)}</w:tblGrid>` })
    }
  }
  let out = ''
  let at = 0
  for (const { from, to, text } of changes.sort((a, b) => a.from - b.from)) {
    out += xml.slice(at, from) + text
    at = to
  }
  return out + xml.slice(at)
}
