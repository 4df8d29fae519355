import { bookIn } from '../../depth/readers/books.ts'

const readable = ['xlsx', 'xlsm', 'xls', 'ods', 'fods', 'csv', 'tsv', 'json', 'yaml']

/** Whether a format has a table that can be read cell by cell. */
export const tabular = (format: string) => readable.includes(format)

/** Returns the cells of the first table of a document, without empty ones at the end. Rejects if it cannot be read. */
export async function cellsOf(path: string, format: string): Promise<string[][]> {
  const { sheets } = await bookIn(path, format)
  const rows = sheets[0]!.rows.map((row) => row.map((cell) => cell?.value ?? ''))
  return rows.map((row) => row.slice(0, row.findLastIndex((cell) => cell !== '') + 1)).filter((row) => row.length > 0)
}
