import { htmlOf, type Line, linesOf } from './lines.ts'
import type { Page } from './pieces.ts'

const BULLET = /^\s*(?:<[bi]>)*[•–◦▪·\uf0b7](?:<\/[bi]>)*\s*/
const NUMBER = /^\s*\d{1,3}[.)]\s/
const textOf = (line: Line) =>
  line.cells
    .flat()
    .map(({ text }) => text)
    .join(' ')

/** The font size of most characters. */
export function bodySize(pages: readonly Page[]): number {
  const letters = new Map<number, number>()
  for (const { size, text } of pages.flatMap(({ pieces }) => pieces))
    letters.set(size, (letters.get(size) ?? 0) + text.length)
  return [...letters].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 10
}

/** The blocks of a page as HTML: headings, paragraphs, lists, tables, and images in their places. */
export function blocksOf(page: Page, body: number): string[] {
  const lines = linesOf(page)
  const right = Math.max(0, ...lines.map(({ end }) => end))
  const pictures = page.pictures.filter(({ width, height }) => width > 24 && height > 24).sort((a, b) => a.y - b.y)
  const blocks: string[] = []
  let open: Line[] = []
  const close = () => {
    if (open.length) blocks.push(block(open, body))
    open = []
  }
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!
    while (pictures[0] && pictures[0].y < line.y) {
      close()
      blocks.push(`<p><img src="${pictures.shift()!.src}" alt=""></p>`)
    }
    const table = tableAt(lines, index)
    if (table.length) {
      close()
      blocks.push(tableOf(table))
      index += table.length - 1
      continue
    }
    if (open.length && begins(line, open.at(-1)!, right, page.width)) close()
    open.push(line)
  }
  close()
  return [...blocks, ...pictures.map(({ src }) => `<p><img src="${src}" alt=""></p>`)]
}

/** Whether a line begins a block: after a gap or a short line, with another font size, or with a bullet. */
function begins(line: Line, before: Line, right: number, width: number): boolean {
  const gap = line.y - before.y - before.height
  const ended = before.end < right - 0.22 * width && /[.:;!?]$/.test(textOf(before).trimEnd())
  const marked = BULLET.test(textOf(line)) || NUMBER.test(textOf(line))
  return (
    gap > 0.75 * line.height || gap < -2 * line.height || Math.abs(line.size - before.size) > 0.6 || marked || ended
  )
}

/** A table: two or more lines from `index` on with the same number of cells. */
function tableAt(lines: readonly Line[], index: number): Line[] {
  const count = lines[index]!.cells.length
  if (count < 2 || /^\s*([•–◦▪·\uf0b7]|\d{1,3}[.)])\s*$/.test(lines[index]!.cells[0]!.map(({ text }) => text).join('')))
    return []
  let end = index
  while (lines[end]?.cells.length === count) end++
  return end - index > 1 ? lines.slice(index, end) : []
}

const tableOf = (lines: readonly Line[]) =>
  `<table>${lines.map(({ cells }) => `<tr>${cells.map((cell) => `<td>${htmlOf(cell)}</td>`).join('')}</tr>`).join('')}</table>`

function block(lines: readonly Line[], body: number): string {
  const html = lines
    .map(({ cells }) => htmlOf(cells.flat()))
    .join(' ')
    .replace(/([\p{L}])- (?=\p{Ll})/gu, '$1')
    .replace(/<\/(b|i)> <\1>/g, ' ')
  const { size } = lines[0]!
  if (size > body * 1.5) return `<h1>${html}</h1>`
  if (size > body * 1.12 && html.length < 160) return `<h2>${html}</h2>`
  return BULLET.test(html) ? `<ul><li>${html.replace(BULLET, '')}</li></ul>` : `<p>${html}</p>`
}
