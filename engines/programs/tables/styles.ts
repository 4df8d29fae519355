import { type Cell, isExact, isNotation, textOf } from './cell.ts'

/** Most decimals of a number that are shown. */
const DECIMALS = 20

/** Texts that need several lines: with line breaks, or longer than the widest column. */
const WRAPPED = /[\n\r]|^.{50}/

/**
 * The style of a cell: `boolean`, `number`, `decimals<count>` for a number that shows as many as the source has,
 * `text`, and `long` for text of several lines.
 */
export function styleOf(value: Cell): string {
  if (typeof value === 'boolean') return 'boolean'
  if (value === null) return 'text'
  if (
    typeof value === 'number'
      ? !Number.isInteger(value) || isExact(String(value))
      : isNotation(value) && isExact(value.rawJSON.replace(/e.*$/i, ''))
  )
    return decimals(textOf(value))
  return WRAPPED.test(textOf(value)) ? 'long' : 'text'
}

/** Whether a sheet can hold a value of a style as a number without changing a digit. Long integers stay text. */
export const isNumber = (style: string) => style.startsWith('number') || style.startsWith('decimals')

function decimals(text: string): string {
  const [, digits = ''] = /^-?\d+\.(\d+)$/.exec(text) ?? []
  return digits && isExact(text) ? `decimals${Math.min(digits.length, DECIMALS)}` : 'number'
}

const cellStyle = (name: string, data?: string, inside = '') =>
  `<style:style style:name="${name}" style:family="table-cell" style:parent-style-name="Default"${data ? ` style:data-style-name="${data}"` : ''}>${inside}</style:style>`

const numbers = Array.from({ length: DECIMALS }, (_, index) => index + 1).map(
  (count) =>
    `<number:number-style style:name="n${count}"><number:number number:decimal-places="${count}" number:min-decimal-places="${count}" number:min-integer-digits="1"/></number:number-style>${cellStyle(`decimals${count}`, `n${count}`)}`,
)

/** The styles that `styleOf` names, in OpenDocument, and `high` for rows with text of several lines. */
export const cellStyles = [
  ...numbers,
  '<number:boolean-style style:name="b"><number:boolean/></number:boolean-style>',
  '<number:text-style style:name="t"><number:text-content/></number:text-style>',
  cellStyle('number'),
  cellStyle('boolean', 'b'),
  cellStyle('text', 't'),
  cellStyle('long', 't', '<style:table-cell-properties fo:wrap-option="wrap" style:vertical-align="top"/>'),
  '<style:style style:name="high" style:family="table-row"><style:table-row-properties style:use-optimal-row-height="true"/></style:style>',
].join('\n')
