import { type Cell, isNotation, textOf, typed } from './cell.ts'
import type { Rows } from './separated.ts'

type Dictionary = Record<string, unknown>
export const isDictionary = (value: unknown): value is Dictionary =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isNotation(value)

/**
 * Rows as records, with the names of the first row. Missing and repeated names are numbered. A single row stays a list,
 * because it names nothing.
 */
export function recordsOf(rows: readonly (readonly Cell[])[]): Dictionary[] | Cell[][] {
  const [head = [], ...body] = rows.filter((row) => row.some((cell) => cell !== ''))
  if (body.length === 0) return head.length > 0 ? [[...head]] : []
  const width = body.reduce((max, row) => Math.max(max, row.length), head.length)
  const seen = new Set<string>()
  const names = Array.from({ length: width }, (_, index) => {
    const name = textOf(head[index] ?? '') || `column${index + 1}`
    const unique = seen.has(name) ? `${name} ${index + 1}` : name
    seen.add(unique)
    return unique
  })
  return body.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? ''])))
}

/** The cells of a text, with numbers as numbers. */
export const typedRows = (rows: Rows): Cell[][] => rows.map((row) => row.map(typed))

/** Any value as rows: records by their names, a list of lists unchanged, anything else by its paths. */
export function rowsOf(value: unknown): Cell[][] {
  const list = listIn(value)
  if (!list) return isDictionary(value) ? Object.entries(flat(value)) : [[cellOf(value)]]
  if (list.every(Array.isArray)) return list.map((row) => (row as unknown[]).map(cellOf))
  const records = list.map((item) => (isDictionary(item) ? flat(item) : { value: cellOf(item) }))
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))]
  return [names, ...records.map((record) => names.map((name) => (record as Record<string, Cell>)[name] ?? ''))]
}

/** The tables in a document: one, or the members of an object that are all lists of records or of rows. */
export function tablesIn(value: unknown): Record<string, Cell[][]> | undefined {
  if (!isDictionary(value) || listIn(value)) return undefined
  const members = Object.entries(value).filter(([name]) => !isDeclaration(name))
  const tables = members.every(([, member]) => Array.isArray(member) && member.every((item) => isTabular(item)))
  return tables ? Object.fromEntries(members.map(([name, member]) => [name, rowsOf(member)])) : undefined
}

/** Attributes of XML that say nothing about its content: namespaces and schemas. */
const isDeclaration = (name: string) => /^@(xmlns|xsi)(:|$)/.test(name)

const isTabular = (item: unknown) => Array.isArray(item) || isDictionary(item)

/** The list in a document: the document itself, or the only list within objects of one member. */
export function listIn(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value
  if (!isDictionary(value)) return undefined
  const members = Object.entries(value).filter(([name]) => !isDeclaration(name))
  return members.length === 1 ? listIn(members[0]![1]) : undefined
}

/** Flattens nested objects, with names joined by dots. Lists and empty objects become JSON. */
function flat(value: Dictionary, prefix = '', all: Record<string, Cell> = Object.create(null)): Record<string, Cell> {
  for (const [name, member] of Object.entries(value)) {
    if (isDictionary(member) && Object.keys(member).length > 0) flat(member, `${prefix}${name}.`, all)
    else {
      let unique = prefix + name
      // `a.b` can also be the name of a member itself.
      for (let count = 2; unique in all; count++) unique = `${prefix}${name} ${count}`
      all[unique] = cellOf(member)
    }
  }
  return all
}

const cellOf = (value: unknown): Cell =>
  ['string', 'number', 'boolean'].includes(typeof value) || isNotation(value) ? (value as Cell) : textOf(value)
