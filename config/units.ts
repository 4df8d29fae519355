import type { FuncKeywordDefinition } from 'ajv/dist/2020.js'
import type { DataValidationCxt } from 'ajv/dist/types/index.js'

const BYTES: Record<string, number> = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 }
const MILLISECONDS: Record<string, number> = { ms: 1, s: 1e3, m: 6e4, h: 3.6e6, d: 8.64e7 }

/** Parses `25MB`, `2 GB` or a plain number to bytes; MB = 10^6 (decimal, SI). Returns undefined for anything else. */
export const parseBytes = (value: unknown) => parse(value, BYTES, 1)

/** Parses `30s`, `15m`, `24h`, `7d` or plain seconds to milliseconds. Returns undefined for anything else. */
export const parseDuration = (value: unknown) => parse(value, MILLISECONDS, 1e3)

function parse(value: unknown, units: Record<string, number>, plain: number): number | undefined {
  const [, number, unit] = /^(\d{1,15}(?:\.\d{1,6})?) ?([a-z]{0,2})$/i.exec(String(value)) ?? []
  const factor = unit ? units[unit.toLowerCase()] : plain
  return number && factor ? Math.round(Number(number) * factor) : undefined
}

/**
 * The schema keywords `bytes` and `duration`. Their value is the minimum; `max` beside it is the maximum. They replace
 * text by the number.
 */
export const unitKeywords = [
  keyword('bytes', parseBytes),
  keyword('duration', parseDuration),
  { keyword: 'max', schemaType: 'number' },
] satisfies (FuncKeywordDefinition | { keyword: string; schemaType: 'number' })[]

/** Writes bytes or milliseconds in the largest unit that gives a whole number: `64MB`, `24d`. */
export const spellBytes = (value: number) => spell(value, BYTES)
export const spellDuration = (value: number) => spell(value, MILLISECONDS)

function spell(value: number, units: Record<string, number>): string {
  const fits = Object.entries(units).findLast(([, factor]) => value >= factor && value % factor === 0)
  const [unit, factor] = fits ?? ['', 1]
  return `${value / factor}${factor < 1e3 || units === MILLISECONDS ? unit : unit.toUpperCase()}`
}

function keyword(name: string, parseUnit: (value: unknown) => number | undefined): FuncKeywordDefinition {
  return {
    keyword: name,
    type: ['number', 'string'],
    modifying: true,
    errors: false,
    validate: (min: number, value: unknown, schema?: { max?: number }, place?: DataValidationCxt) => {
      const parsed = parseUnit(value)
      if (!place || parsed === undefined || parsed < min || parsed > (schema?.max ?? Number.MAX_SAFE_INTEGER))
        return false
      place.parentData[place.parentDataProperty] = parsed
      return true
    },
  }
}
