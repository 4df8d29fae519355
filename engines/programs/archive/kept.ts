import { createReadStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import type { Foresight } from './guard.ts'

/** Stores the files that hard links point to in a folder, because the stream contains them only once. */
export function keeper(folder: string): Pick<Foresight, 'keep' | 'kept'> {
  const paths = new Map<string, string>()
  return {
    async *keep(name, body) {
      await mkdir(folder, { recursive: true })
      const path = `${folder}/${paths.size}`
      paths.set(name, path)
      await using file = await open(path, 'w')
      for await (const piece of body) {
        await file.write(piece)
        yield piece
      }
    },
    kept: (name) => createReadStream(paths.get(name)!),
  }
}
