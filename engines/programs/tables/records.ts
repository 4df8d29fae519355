import type { Rows } from './separated.ts'

type Dictionary = Record<string, unknown>
export const isDictionary = (value: unknown): value is Dictionary =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns a number only if it has the usual notation: not 007 or 1e3, and no more digits than are exact. */
const typed = (cell: string): string | number =>
  /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/.test(cell) && String(Number(cell)) === cell ? Number(cell) : cell

/** Rows as records, with the names of the first row. Missing and repeated names are numbered. */
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

/** Any value as rows: records by their names, a list of lists unchanged, anything else by its paths. */
export function rowsOf(value: unknown): Rows {
  const list = listIn(value)
  if (!list) return isDictionary(value) ? Object.entries(flat(value)) : [[text(value)]]
  if (list.every(Array.isArray)) return list.map((row) => (row as unknown[]).map(text))
  const records = list.map((item) => (isDictionary(item) ? flat(item) : { value: text(item) }))
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))]
  return [names, ...records.map((record) => names.map((name) => (record as Record<string, string>)[name] ?? ''))]
}

/** The list in a document: the document itself, or the only list within objects of one member. */
export function listIn(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value
  if (!isDictionary(value)) return undefined
  const members = Object.values(value)
  return members.length === 1 ? listIn(members[0]) : undefined
}

/** Flattens nested objects, with names joined by dots. Lists become JSON. */
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
