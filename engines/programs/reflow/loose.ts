import { looseGrid, type Row, rowsOf } from './columns.ts'
import { fill, type Grid, overlap } from './grid.ts'
import { type Line, linesOf, parts, textOf } from './lines.ts'
import { type Box, type Drawn, height, type Page, type Word, width } from './model.ts'
import { type Rule, rulesOf } from './rules.ts'

const MARKED = /^([•–◦▪·‣●○■□\uf0b7-]|\(?[\da-z]{1,3}[.)])$/i
const GAP = 0.8

const inside = (words: readonly Word[], [x0, y0, x1, y1]: Box) =>
  words.filter(({ box, base, size }) => {
    const x = (box[0] + box[2]) / 2
    const y = base - 0.3 * size
    return x >= x0 && x <= x1 && y >= y0 && y <= y1
  })

/** Rows between places from top to bottom; `one` says which of them are one row, however many lines they have. */
function bands(words: readonly Word[], ys: readonly number[], body: number, one: (index: number) => boolean): Row[] {
  return ys.slice(1).flatMap((bottom, index): Row[] => {
    const top = ys[index]!
    const lines = linesOf(words.filter(({ base, size }) => base - 0.3 * size >= top && base - 0.3 * size <= bottom))
    if (lines.length === 0) return []
    if (one(index)) return [{ lines, top, bottom }]
    const rows = rowsOf(lines, GAP * body)
    return rows.map((row, at) => ({ ...row, top: at ? row.top : top, bottom: rows[at + 1]?.top ?? bottom }))
  })
}

/** Tables with lines between rows only. */
export function bookGrids(page: Page, body: number, taken: readonly Grid[]): Grid[] {
  const rules = rulesOf(page).across.filter(
    ({ at, from, to }) => to - from > 5 * body && !taken.some(({ box }) => overlap(box, [from, at - 3, to, at + 3])),
  )
  const found: Grid[] = []
  const used = new Set<Rule>()
  for (const rule of rules) {
    if (used.has(rule)) continue
    const alike = rules
      .filter(({ at, from, to }) => at >= rule.at && Math.abs(from - rule.from) < 4 && Math.abs(to - rule.to) < 4)
      .slice(0, 80)
    for (let last = alike.length - 1; last > 0; last--) {
      const some = alike.slice(0, last + 1)
      const box: Box = [rule.from - 1, rule.at, rule.to + 1, some.at(-1)!.at]
      const every = some.length > 3
      const rows = bands(
        inside(page.words, box),
        some.map(({ at }) => at),
        body,
        (index) => every || index < some.length - 2,
      )
      const grid = looseGrid(rows, GAP * body)
      if (!grid || (height(box) > 0.8 * height(page.bounds) && !every)) continue
      found.push({
        ...grid,
        lines: some.map(({ at }) => at),
        box: [Math.min(grid.box[0], box[0]), box[1], Math.max(grid.box[2], box[2]), box[3]],
      })
      for (const one of some) used.add(one)
      break
    }
  }
  return found
}

/** Tables with every row, or every second one, on a colour. */
export function shadedGrids(page: Page, body: number, taken: readonly Grid[]): Grid[] {
  const rows = rowBoxes(page.boxes, body).filter((box) => !taken.some((grid) => overlap(grid.box, box)))
  const found: Grid[] = []
  while (rows.length > 0) {
    const first = rows.shift()!
    const group = [first]
    for (let index = 0; index < rows.length; index++) {
      const one = rows[index]!
      const last = group.at(-1)!
      if (
        Math.abs(one[0] - first[0]) < 4 &&
        Math.abs(one[2] - first[2]) < 4 &&
        one[1] - last[3] < 2.5 * height(last) + 2
      )
        group.push(...rows.splice(index--, 1))
    }
    if (group.length < 2) continue
    const tall = Math.max(...group.map(height))
    const ys = [...new Set(group.flatMap(([, y0, , y1]) => [y0, y1]))].sort((a, b) => a - b)
    const places = ys.filter((y, index) => index === 0 || y - ys[index - 1]! > 2)
    // An even number of rows ends with one that is not on a colour.
    for (const end of [places.at(-1)! + 1.1 * tall, places.at(-1)!]) {
      const all = end > places.at(-1)! ? [...places, end] : places
      const box: Box = [first[0], all[0]!, first[2], end]
      const grid = looseGrid(
        bands(inside(page.words, box), all, body, (index) => all[index + 1]! - all[index]! < 1.8 * tall),
        GAP * body,
      )
      if (!grid || (end > places.at(-1)! && grid.ys.length < 3)) continue
      fillColours(grid, page.boxes)
      found.push({
        ...grid,
        box: [Math.min(box[0], grid.box[0]), box[1], Math.max(box[2], grid.box[2]), grid.ys.at(-1)!],
      })
      break
    }
  }
  return found
}

const fillColours = (grid: Grid, boxes: readonly Drawn[]) => void fill(grid, [], boxes)

/** Filled boxes as high as rows; boxes beside each other are one. */
function rowBoxes(boxes: readonly Drawn[], body: number): Box[] {
  const rows: Box[] = []
  const high = boxes.filter((box) => box[4] !== '#ffffff' && height(box) > 0.8 * body && height(box) < 8 * body)
  for (const box of high.toSorted((a, b) => a[1] - b[1] || a[0] - b[0])) {
    const [x0, y0, x1, y1] = box
    const beside = rows.findIndex((row) => Math.abs(row[1] - y0) < 2 && Math.abs(row[3] - y1) < 2 && x0 - row[2] < 4)
    if (beside < 0) rows.push([x0, y0, x1, y1])
    else rows[beside] = [Math.min(rows[beside]![0], x0), y0, Math.max(rows[beside]![2], x1), y1]
  }
  return rows.filter((row) => width(row) > 8 * body)
}

/** Tables without lines: at least three lines in a row with the same columns. They are given as numbers of lines. */
export function alignedGrids(lines: readonly Line[], body: number): { grid: Grid; from: number; to: number }[] {
  const gap = 1.3 * body
  const found: { grid: Grid; from: number; to: number }[] = []
  const cellular = (line: Line | undefined) => {
    if (!line) return false
    const list = parts(line, gap)
    return (
      list.length > 1 && !MARKED.test(list[0]!.map(({ text }) => text).join('')) && !/(\. ?){5,}/.test(textOf(line))
    )
  }
  for (let from = 0; from < lines.length; from++) {
    let to = from
    while (cellular(lines[to]) && (to === from || lines[to]!.box[1] - lines[to - 1]!.box[3] < 2.2 * lines[to]!.size))
      to++
    for (let end = to; end - from >= 2; end--) {
      const some = lines.slice(from, end)
      const most = Math.max(...some.map((line) => parts(line, gap).length))
      const rows = some.map((line) => ({ lines: [line], top: line.box[1] - 1, bottom: line.box[3] + 1 }))
      const grid = looseGrid(rows, gap)
      if (!grid || grid.xs.length - 1 !== most || (end - from < 3 && most < 3)) continue
      found.push({ grid, from, to: end })
      from = end - 1
      break
    }
  }
  return found
}
