/**
 * Converts tables and records: `convert.ts INPUT OUTPUT FROM TO NAME [TARGET]`, or `… sheets TO FOLDER PAGES NAME`.
 * FROM can be `sheets`: INPUT is a flat OpenDocument spreadsheet, or a folder of csv files if TO is csv or tsv. TO can
 * be `html` and `fods`, a flat OpenDocument spreadsheet that becomes TARGET.
 */
import { readFile, stat, writeFile } from 'node:fs/promises'
import { Refusal, report } from '../refusal/refusal.ts'
import { decoded } from '../text/decoded.ts'
import { type Cell, textOf } from './cell.ts'
import { writePage, writeSheets } from './page.ts'
import { recordsOf, rowsOf, tablesIn, typedRows } from './records.ts'
import { readTable, writeRows } from './separated.ts'
import { pack, sheetsIn } from './sheets.ts'
import { readSpreadsheet } from './spreadsheet.ts'
import { readJson, readYaml, writeJson, writeYaml } from './values.ts'
import { writeWorkbook } from './workbook.ts'
import { readXml, writeXml } from './xml.ts'

/** Most bytes of a source. It is read as a whole, and takes about ten times as much memory. */
const MAX = 100_000_000

const separators: Readonly<Record<string, string>> = { csv: ',', tsv: '\t' }

async function textIn(path: string): Promise<string> {
  const { size } = await stat(path)
  if (size > MAX) throw new Refusal('The file is larger than 100 MB, the limit for tables', 'RESOURCE_LIMIT')
  return decoded(await readFile(path)).replace(/^\ufeff/, '')
}

const rowsIn = async (path: string, from: string) => readTable(await textIn(path), from === 'tsv' ? '\t' : undefined)

async function valueIn(path: string, from: string): Promise<unknown> {
  if (from === 'sheets') return sheetsAsRecords(path)
  if (from in separators) return recordsOf(typedRows(await rowsIn(path, from)))
  const text = await textIn(path)
  if (from === 'xml') return readXml(text)
  return from === 'json' ? readJson(text) : readYaml(text)
}

/** The records of the only sheet, or of each by its name. */
async function sheetsAsRecords(path: string): Promise<unknown> {
  const { sheets } = await readSpreadsheet(path)
  const values = sheets.map(({ name, rows }) => [
    name,
    recordsOf(rows.map(({ cells }) => cells.map(({ value }) => value))),
  ])
  return values.length === 1 ? values[0]![1] : Object.fromEntries(values)
}

const write = (value: unknown, to: string, name: string): string => {
  if (to === 'json') return writeJson(value)
  if (to === 'yaml') return writeYaml(value)
  if (to === 'html') return writePage(value, name)
  return to === 'xml' ? writeXml(value) : writeRows(rowsOf(value), separators[to]!)
}

/** The tables of a source by name. Texts have cells; numbers of XML are text, too. */
async function tablesOf(path: string, from: string, name: string): Promise<Record<string, Cell[][]>> {
  if (from in separators) return { [name]: typedRows(await rowsIn(path, from)) }
  const value = await valueIn(path, from)
  const tables = tablesIn(value) ?? { [name]: rowsOf(value) }
  if (from !== 'xml') return tables
  return Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => [name, typedRows(rows.map((row) => row.map(textOf)))]),
  )
}

async function convert([input, output, from, to, ...rest]: [
  string,
  string,
  string,
  string,
  ...string[],
]): Promise<void> {
  if (from === 'sheets' && to in separators) {
    const [folder = '', pages = '', name = ''] = rest
    return pack(await sheetsIn(folder), output, pages, name)
  }
  const [name = '', target = ''] = rest
  if (to === 'fods') return writeWorkbook(output, await tablesOf(input, from, name), target)
  if (from === 'sheets' && to === 'html')
    return writeFile(output, writeSheets(await readSpreadsheet(input, name === '--comments')))
  if (from in separators && (to in separators || to === 'html')) {
    const rows = await rowsIn(input, from)
    return writeFile(output, to === 'html' ? writePage(rows, name) : writeRows(rows, separators[to]!))
  }
  await writeFile(output, write(await valueIn(input, from), to, name))
}

try {
  await convert(process.argv.slice(2) as [string, string, string, string])
} catch (error) {
  report(error)
}
