/** Converts tables and records: `convert.ts INPUT OUTPUT FROM TO [FOLDER PAGES NAME]`. */
import { readFile, stat, writeFile } from 'node:fs/promises'
import { parse, stringify } from 'yaml'
import { Refusal, report } from '../refusal/refusal.ts'
import { decoded } from '../text/decoded.ts'
import { writePage } from './page.ts'
import { recordsOf, rowsOf } from './records.ts'
import { type Rows, readRows, separatorOf, writeRows } from './separated.ts'
import { pack, sheetsIn } from './sheets.ts'
import { readXml, writeXml } from './xml.ts'

/** Most bytes of a source. It is read as a whole, and takes about ten times as much memory. */
const MOST = 100_000_000

const separators: Readonly<Record<string, string>> = { csv: ',', tsv: '\t' }

async function textIn(path: string): Promise<string> {
  const { size } = await stat(path)
  if (size > MOST) throw new Refusal('The file is larger than 100 MB, the limit for tables', 'RESOURCE_LIMIT')
  return decoded(await readFile(path)).replace(/^\ufeff/, '')
}

async function rowsIn(path: string, from: string): Promise<Rows> {
  const text = await textIn(path)
  return readRows(text, from === 'tsv' ? '\t' : separatorOf(text))
}

async function valueIn(path: string, from: string): Promise<unknown> {
  if (from in separators) return recordsOf(await rowsIn(path, from))
  const text = await textIn(path)
  if (from === 'xml') return readXml(text)
  return from === 'json' ? JSON.parse(text) : parse(text, { maxAliasCount: 100 })
}

const write = (value: unknown, to: string): string => {
  if (to === 'json') return `${JSON.stringify(value, null, 2)}\n`
  if (to === 'yaml') return stringify(value, { aliasDuplicateObjects: false })
  if (to === 'html') return writePage(value)
  return to === 'xml' ? writeXml(value) : writeRows(rowsOf(value), separators[to]!)
}

async function convert([input, output, from, to, ...rest]: string[]): Promise<void> {
  const [folder = '', pages = '', name = ''] = rest
  if (from === 'sheets') {
    const sheets = await sheetsIn(folder)
    if (to! in separators) return pack(sheets, output!, pages, name)
    const values = await Promise.all(sheets.map(async (sheet) => [sheet.name, await valueIn(sheet.path, 'csv')]))
    return writeFile(output!, write(values.length === 1 ? values[0]![1] : Object.fromEntries(values), to!))
  }
  const both = from! in separators && to! in separators
  const text = both
    ? writeRows(await rowsIn(input!, from!), separators[to!]!)
    : write(await valueIn(input!, from!), to!)
  await writeFile(output!, text)
}

try {
  await convert(process.argv.slice(2))
} catch (error) {
  report(error)
}
