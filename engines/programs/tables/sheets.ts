import { createWriteStream } from 'node:fs'
import { copyFile, readdir, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { Refusal } from '../refusal/refusal.ts'

/** One sheet of a spreadsheet, as a csv file. */
export interface SheetFile {
  path: string
  name: string
}

const PREFIX = 'sheets-'

/** The files that LibreOffice made, `sheets-<sheet name>`, in the order of their creation. */
export async function sheetsIn(folder: string): Promise<SheetFile[]> {
  const files = (await readdir(folder)).filter((file) => file.startsWith(PREFIX))
  if (files.length === 0) throw new Refusal('The spreadsheet has no sheets')
  const sheets = await Promise.all(
    files.map(async (file) => {
      const { mtimeNs } = await stat(join(folder, file), { bigint: true })
      return { path: join(folder, file), name: file.slice(PREFIX.length, -extname(file).length), mtimeNs }
    }),
  )
  return sheets.sort((a, b) => Number(a.mtimeNs - b.mtimeNs))
}

/** Copies a single sheet; puts several into a zip at `pages`, as `stem-Sheet.csv`. */
export async function pack(sheets: readonly SheetFile[], output: string, pages: string, stem: string): Promise<void> {
  const [only] = sheets
  if (sheets.length === 1) return copyFile(only!.path, output)
  const zip = new ZipFile()
  const safe = (name: string) => name.replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, '_').slice(0, 100)
  for (const { path, name } of sheets)
    zip.addFile(path, `${safe(stem)}-${safe(name)}${extname(output)}`, { mode: 0o100644 })
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(pages))
}
