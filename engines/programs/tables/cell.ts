/**
 * A number in the notation of its source (`JSON.rawJSON`), where a double would lose digits: 0.50, or twenty digits.
 */
export interface Notation {
  readonly rawJSON: string
}

/** The content of a cell. */
export type Cell = string | number | boolean | null | Notation

// TypeScript does not know these two yet (ECMAScript proposal "JSON.parse source text access").
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON: (source: string) => Notation
  isRawJSON: (value: unknown) => value is Notation
}

export const isNotation = isRawJSON

/** Most significant digits that a double keeps. */
const DIGITS = 15

/** A number, given its notation in JSON. */
export const numberIn = (source: string): number | Notation =>
  String(Number(source)) === source ? Number(source) : rawJSON(source)

/** Whether a double, and a program that shows fifteen digits, keep every digit of a decimal notation. */
export const isExact = (source: string) => source.replace(/^-?[0.]*|\./g, '').length <= DIGITS

/**
 * A cell of a text: a number only if it is plainly written as one, not 007, +1 or 1e3, and a number keeps its digits.
 */
export function typed(cell: string): string | number | Notation {
  if (!/^-?(0|[1-9]\d*)(\.\d+)?$/.test(cell) || /^-[0.]*$/.test(cell)) return cell
  const isKept = isExact(cell) || (cell.includes('.') && String(Number(cell)) === cell)
  return isKept ? numberIn(cell) : cell
}

/** Any value as text. Numbers keep their notation; lists and objects become JSON. */
export const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (isNotation(value)) return value.rawJSON
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
