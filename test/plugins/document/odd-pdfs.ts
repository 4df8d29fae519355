import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Bench } from '../../harness/studio.ts'

const folder = join(import.meta.dirname, 'odd')

/** Puts the odd PDF files where they are read. Returns their paths by name. */
export async function oddPdfs(own: Bench) {
  const files: Record<string, string> = {}
  for (const name of (await readdir(folder)).filter((name) => name.endsWith('.pdf')))
    files[basename(name, '.pdf')] = await own.file(name, await readFile(join(folder, name)))
  return files
}
