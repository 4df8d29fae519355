import { lstat, mkdir, readdir, readFile, readlink, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { withFolder } from '../../harness/folder.ts'
import { unpack } from '../../matrix/unpack.ts'

/** Lists an unpacked archive with another program than its writer: kind, mode, and text or link target by path. */
export const listing = (bytes: Buffer, format: string): Promise<Record<string, string>> =>
  withFolder(async (folder) => {
    const path = join(folder, `made.${format}`)
    const tree = join(folder, 'tree')
    await writeFile(path, bytes)
    await mkdir(tree)
    await unpack(path, format, tree)
    const entries = await readdir(tree, { recursive: true, withFileTypes: true })
    const lines = entries.map(async ({ parentPath, name }) => {
      const place = join(parentPath, name)
      const stats = await lstat(place)
      const mode = (stats.mode & 0o7777).toString(8)
      const what = stats.isFile()
        ? `file ${mode} ${(await readFile(place)).toString('latin1', 0, 40)}`
        : stats.isSymbolicLink()
          ? `link ${await readlink(place)}`
          : stats.isDirectory()
            ? `folder ${mode}`
            : 'other'
      return [relative(tree, place), what] as const
    })
    return Object.fromEntries((await Promise.all(lines)).sort())
  })
