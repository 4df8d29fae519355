import type { Rows } from './separated.ts'

type Dictionary = Record<string, unknown>
export const isDictionary = (value: unknown): value is Dictionary =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A number only where it is written as one would write it: neither 007 nor 1e3, nor more digits than are exact. */
const typed = (cell: string): string | number =>
  /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/.test(cell) && String(Number(cell)) === cell ? Number(cell) : cell

/** Rows as records, by the names in the first row; names that are missing or come again are numbered. */
export function recordsOf(rows: Rows): Dictionary[] {
  const [head = [], ...body] = rows.filter((row) => row.some((cell) => cell !== ''))
  const width = body.reduce((most, row) => Math.max(most, row.length), head.length)
  const seen = new Set<string>()
  const names = Array.from({ length: width }, (_, index) => {
    const name = head[index] || `column${index + 1}`
    const unique = seen.has(name) ? `${name} ${index + 1}` : name
    seen.add(unique)
    return unique
  })
  return body.map((row) => Object.fromEntries(names.map((name, index) => [name, typed(row[index] ?? '')])))
}

/** Any value as rows: a list of records by their names, a list of lists as it is, anything else by its paths. */
export function rowsOf(value: unknown): Rows {
  const list = listIn(value)
  if (!list) return isDictionary(value) ? Object.entries(flat(value)) : [[text(value)]]
  if (list.every(Array.isArray)) return list.map((row) => (row as unknown[]).map(text))
  const records = list.map((item) => (isDictionary(item) ? flat(item) : { value: text(item) }))
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))]
  return [names, ...records.map((record) => names.map((name) => (record as Record<string, string>)[name] ?? ''))]
}

/** The list that a document is about: itself, or the only one in a wrapping of single members. */
export function listIn(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value
  if (!isDictionary(value)) return undefined
  const members = Object.values(value)
  return members.length === 1 ? listIn(members[0]) : undefined
}

/** Members of members under one name with dots; lists as JSON. */
function flat(value: Dictionary, prefix = ''): Record<string, string> {
  return Object.assign(
    {},
    ...Object.entries(value).map(([name, member]) =>
      isDictionary(member) ? flat(member, `${prefix}${name}.`) : { [prefix + name]: text(member) },
    ),
  )
}

const text = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
