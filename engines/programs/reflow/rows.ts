import type { Line } from './lines.ts'
import { median, middleOf } from './model.ts'

/** Lines of a row, and where it begins and ends. */
export interface Row {
  lines: Line[]
  top: number
  bottom: number
}

const NUMERIC = /^[-+–−(]?[$€£¥]?\d[\d.,\s]*[%)]?$/

/** The text of a line by columns. */
type Texts = ReadonlyMap<number, string>

function textsOf(line: Line, xs: readonly number[]): Texts {
  const texts = new Map<number, string>()
  for (const { text, box } of line.words) {
    const x = (box[0] + box[2]) / 2
    const column = Math.max(
      0,
      xs.findLastIndex((place) => place <= x),
    )
    texts.set(column, texts.has(column) ? `${texts.get(column)} ${text}` : text)
  }
  return texts
}

/**
 * The greatest distance of lines within a cell, where it differs from that of rows: most lines that follow the one
 * above more closely than others have text in one column only, or none in the first.
 */
function within(lines: readonly Line[], texts: readonly Texts[], bands: readonly number[]): number {
  const max = Math.max(...texts.map(({ size }) => size))
  const steps = lines
    .slice(1)
    .map((line, index) => ({
      step: line.base - lines[index]!.base,
      isPart: texts[index + 1]!.size < max && (!texts[index + 1]!.has(0) || texts[index + 1]!.size === 1),
      size: line.size,
    }))
    .filter((_, index) => bands[index] === bands[index + 1])
    .sort((a, b) => a.step - b.step)
  for (let index = steps.length - 1; index > 0; index--) {
    const below = steps[index - 1]!
    const above = steps[index]!
    const isJump = above.step > 1.07 * below.step && above.step - below.step > 0.7
    const close = steps.slice(0, index)
    if (isJump && below.step < 1.7 * below.size && close.filter(({ isPart }) => isPart).length > 0.6 * close.length)
      return (below.step + above.step) / 2
  }
  return 0
}

/** Whether a line at the usual distance goes on with the row above, by its text alone. */
function goesOn(texts: Texts, above: Texts, columns: number): boolean {
  const own = [...texts]
  if (own.length === columns || own.some(([column]) => !above.has(column))) return false
  if (own.every(([, text]) => /^\p{Ll}/u.test(text))) return true
  return !texts.has(0) && own.every(([, text]) => !NUMERIC.test(text) && !/^\p{Lu}/u.test(text))
}

/** Whether lines between two marks are several rows: one of their columns has a number in nearly each. */
function areSeveral(texts: readonly Texts[]): boolean {
  const columns = new Set(texts.flatMap((one) => [...one.keys()]))
  const numbers = (column: number) => texts.filter((one) => NUMERIC.test(one.get(column) ?? '')).length
  return texts.length > 1 && [...columns].some((column) => numbers(column) >= 0.8 * texts.length)
}

/**
 * Rows out of the lines of a table.
 *
 * @param xs where columns begin and end
 * @param marks places of lines and edges of colours. What is between two of many is one row
 */
export function rowsOf(lines: readonly Line[], xs: readonly number[], marks: readonly number[]): Row[] {
  const texts = lines.map((line) => textsOf(line, xs))
  const bands = lines.map((line) => marks.filter((mark) => mark < middleOf(line)).length)
  const inner = new Set(bands.filter((band) => band > 0 && band < marks.length))
  const whole = new Set(
    [...inner].filter((band) => {
      const own = texts.filter((_, index) => bands[index] === band)
      return (inner.size > 2 || (band === 1 && inner.size > 1)) && !areSeveral(own)
    }),
  )
  const close = within(lines, texts, bands)
  const rows: (Row & { texts: Map<number, string> })[] = []
  for (const [index, line] of lines.entries()) {
    const above = rows.at(-1)
    const before = lines[index - 1]
    const step = before ? line.base - before.base : 0
    const own = texts[index]!
    const same =
      bands[index] === bands[index - 1] &&
      (whole.has(bands[index]!) ||
        (close > 0 ? step < close : step < 1.6 * line.size && goesOn(own, above?.texts ?? own, xs.length - 1)))
    if (above && same) {
      above.lines.push(line)
      above.bottom = Math.max(above.bottom, line.box[3] + 1)
      for (const [column, text] of own) above.texts.set(column, text)
    } else rows.push({ lines: [line], top: line.box[1] - 1, bottom: line.box[3] + 1, texts: new Map(own) })
  }
  return placed(rows, marks)
}

/** Rows that end at the mark or in the middle of the space between them. */
function placed(rows: readonly Row[], marks: readonly number[]): Row[] {
  const between = rows.slice(1).map((row, index) => {
    const above = rows[index]!
    const mark = marks.filter((place) => place > middleOf(above.lines.at(-1)!) && place < middleOf(row.lines[0]!))
    return median(mark) || (above.bottom + row.top) / 2
  })
  return rows.map(({ lines, top, bottom }, index) => ({
    lines,
    top: between[index - 1] ?? Math.min(top, ...marks.filter((mark) => mark > top - 0.6 * lines[0]!.size)),
    bottom: between[index] ?? Math.max(bottom, ...marks.filter((mark) => mark < bottom + 0.6 * lines[0]!.size)),
  }))
}
