/**
 * Puts a text and its pictures into a zip: `write.ts FOLDER OUTPUT`. The text becomes `document.md`. The pictures,
 * which are beside it, go to `images/`: so it calls them.
 */
import { createWriteStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

const [folder, output] = process.argv.slice(2) as [string, string]
const kept = { mode: 0o100644, mtime: new Date(1980, 0, 1) }
const names = (await readdir(folder)).sort()
const isText = (name: string) => name.startsWith('document.')
const zip = new ZipFile()
for (const name of names.filter(isText)) zip.addFile(join(folder, name), 'document.md', kept)
// Pictures are compressed already.
for (const name of names.filter((name) => !isText(name)))
  zip.addFile(join(folder, name), `images/${name}`, { ...kept, compress: /\.(svg|bmp|tif|emf|wmf)$/.test(name) })
zip.end()
await pipeline(zip.outputStream, createWriteStream(output))
