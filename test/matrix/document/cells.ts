import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { program } from '../../fixtures/program.ts'
import { members, unmarked } from './text.ts'

/** Returns the rows of the first table, without empty cells and rows at the end. */
type Reader = (path: string) => Promise<string[][]>

/** Returns the text of a cell, which may have several formatted parts. */
const plain = (markup: string) => unmarked(markup.replace(/<[^>]*>/g, ''))

const trimmed = (rows: string[][]) =>
  rows.map((row) => row.slice(0, row.findLastIndex((cell) => cell !== '') + 1)).filter((row) => row.length > 0)

/** Parses rows by RFC 4180, with any separator. */
export function separated(text: string, separator: string): string[][] {
  const rows: string[][] = [[]]
  const field = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"${separator}\r\n][^${separator}\r\n]*|))(${separator}|\r?\n|$)`,
    'y',
  )
  for (let match = field.exec(text); match; match = field.exec(text)) {
    rows.at(-1)!.push(match[1] === undefined ? match[2]! : match[1].replaceAll('""', '"'))
    if (match[3] === '') break
    if (match[3] !== separator) rows.push([])
  }
  return trimmed(rows)
}

const attribute = (tag: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]

/** Returns cells of an Excel worksheet by their references (ECMA-376 part 1, §18.3.1.4). */
const excel: Reader = async (path) => {
  const shared = await members(path, 'xl/sharedStrings.xml').catch(() => '')
  const texts = [...shared.matchAll(/<si\b[^>]*>([\s\S]*?)<\/si>/g)].map(([, item]) => plain(item!))
  const rows: string[][] = []
  const sheet = await members(path, 'xl/worksheets/sheet1.xml')
  for (const [, tag, inside] of sheet.matchAll(/<c\b([^>]*?)(?:\/>|>([\s\S]*?)<\/c>)/g)) {
    const [, letters, number] = /([A-Z]+)(\d+)/.exec(attribute(tag!, 'r')!)!
    const column = [...letters!].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
    const value = plain(/<(?:v|is)\b[^>]*>([\s\S]*?)<\/(?:v|is)>/.exec(inside ?? '')?.[1] ?? '')
    const row = (rows[Number(number) - 1] ??= [])
    while (row.length < column) row.push('')
    row[column] = attribute(tag!, 't') === 's' ? texts[Number(value)]! : value
  }
  return trimmed(Array.from(rows, (row) => row ?? []))
}

/** Returns cells of an OpenDocument table, with raw instead of formatted values (OpenDocument 1.3 part 3, §19.385). */
function opendocument(content: string): string[][] {
  const table = /<table:table\b[\s\S]*?<\/table:table>/.exec(content)![0]
  const rows = [...table.matchAll(/<table:table-row\b[^>]*>([\s\S]*?)<\/table:table-row>/g)].map(([, row]) =>
    [...row!.matchAll(/<table:table-cell\b([^>]*?)(?:\/>|>([\s\S]*?)<\/table:table-cell>)/g)].map(
      ([, tag, inside]) => attribute(tag!, 'office:value') ?? unmarked(inside ?? '').trim(),
    ),
  )
  return trimmed(rows)
}

/** Returns records, also inside objects with a single member. */
function records(value: unknown): string[][] {
  if (!Array.isArray(value)) return records(Object.values(value as object)[0])
  return trimmed([Object.keys(value[0]), ...value.map((record) => Object.values(record).map(String))])
}

const readers: Readonly<Record<string, Reader>> = {
  xlsx: excel,
  xlsm: excel,
  xls: async (path) =>
    separated((await program('xls2csv', '-dutf-8', '-q1', path)).toString('utf8').split('\f')[0]!, ','),
  ods: async (path) => opendocument(await members(path, 'content.xml')),
  fods: async (path) => opendocument(await readFile(path, 'utf8')),
  csv: async (path) => separated((await readFile(path, 'utf8')).replace(/^\ufeff/, ''), ','),
  tsv: async (path) => separated((await readFile(path, 'utf8')).replace(/^\ufeff/, ''), '\t'),
  json: async (path) => records(JSON.parse(await readFile(path, 'utf8'))),
  yaml: async (path) => records(parse(await readFile(path, 'utf8'))),
}

/** Whether a format has a table that can be read cell by cell. */
export const tabular = (format: string) => format in readers

/** Returns the cells of the first table of a document. Rejects if it cannot be read. */
export const cellsOf = (path: string, format: string): Promise<string[][]> => readers[format]!(path)
