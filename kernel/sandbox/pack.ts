import { constants, createWriteStream } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { join } from 'node:path'
import { finished, pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { Result } from './folder.ts'

/** A file in a job's `in` folder, and its name in a zip. */
export interface Packed {
  file: string
  name: string
}

/** Packs files of a job's `in` folder into `pages.zip` in the job's folder, which programs cannot reach. */
export async function packFiles(folder: string, files: readonly Packed[]): Promise<Result> {
  const path = join(folder, 'pages.zip')
  const zip = new ZipFile()
  const writing = pipeline(zip.outputStream, createWriteStream(path, { flags: 'wx', mode: 0o644 }))
  const fill = async () => {
    for (const { file, name } of files) {
      // Without a sandbox, a program could have replaced the file with a link.
      await using source = await open(join(folder, 'in', file), constants.O_RDONLY | constants.O_NOFOLLOW)
      const content = source.createReadStream({ autoClose: false })
      zip.addReadStream(content, name, { mode: 0o100644 })
      await finished(content)
    }
    zip.end()
  }
  await Promise.all([writing, fill()])
  return { path, size: (await lstat(path)).size }
}
