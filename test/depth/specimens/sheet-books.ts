/** What stands in the workbooks that several programs write. */

import { readFileSync } from 'node:fs'
import { saved } from '../saved.ts'

/** A cell as it is stored and as it is shown. */
export interface BookCell {
  kind: 'text' | 'number' | 'boolean' | 'date' | 'time' | 'error'
  /** Text, the notation of a number, `true`, a date by ISO 8601, days of a time. */
  value: string
  shown: string
  /** Days since 1899-12-30, of dates and times. */
  serial?: number
  /** Its number format, as Excel writes it. */
  format?: string
  formula?: string
  link?: string
  note?: string
  bold?: boolean
  /** Background, as `FFFF00`. */
  fill?: string
}

export interface BookSheet {
  name: string
  rows: readonly (readonly (BookCell | null)[])[]
  hidden?: boolean
  /** Indices. */
  hiddenRows?: readonly number[]
  hiddenColumns?: readonly number[]
  /** Characters by index of the column. */
  widths?: Readonly<Record<string, number>>
  /** Ranges as `A1:C1`. */
  merged?: readonly string[]
}

export interface Book {
  sheets: readonly BookSheet[]
  title?: string
  author?: string
}

const read = (name: string) => JSON.parse(readFileSync(saved(`sheet/${name}.json`), 'utf8')) as Book

/** Values of every kind, formulas, formats, and texts that programs take for numbers, dates, formulas or markup. */
export const ledger = read('ledger')

/** More columns than a page is wide, in columns that are too narrow. */
export const wide = read('wide')
