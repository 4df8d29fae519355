import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { program } from '../../fixtures/program.ts'
import { withFolder } from '../../harness/folder.ts'
import type { Studio } from '../../harness/studio.ts'

const maker = join(import.meta.dirname, '../../fixtures/odd-pdf.py')

/** Makes odd PDF files in a studio. Returns their paths by name. */
export const oddPdfs = (own: Studio) =>
  withFolder(async (folder) => {
    await program('/usr/bin/python3', '-E', '-s', '-B', maker, folder)
    const files: Record<string, string> = {}
    for (const name of await readdir(folder))
      files[basename(name, '.pdf')] = await own.file(name, await readFile(join(folder, name)))
    return files
  })
