import { mkdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { openLocal } from './file-stream.ts'
import { asServiceError, hashOf, type Staging } from './incoming.ts'
import type { Recorded, Storage } from './storage.ts'

/**
 * Stores files below a folder: each is written once and then moved by rename.
 *
 * @param root The folder of stored files. It is created if it is missing.
 * @param incoming On the same file system.
 */
export async function storeInFolder(root: string, incoming: Staging): Promise<Omit<Storage, 'sweep' | 'close'>> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  const pathOf = (key: string) => join(root, key)

  async function place(path: string, key: string): Promise<void> {
    const target = pathOf(key)
    for (let attempt = 1; ; attempt++) {
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      try {
        return await rename(path, target)
      } catch (error) {
        // `remove` of another file took the empty folder in between.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === 100) throw asServiceError(error)
      }
    }
  }

  return {
    ...{ stage: incoming.stage, adopt: incoming.adopt, free: incoming.free, hasRoom: incoming.hasRoom },
    async keep(staged, key, signal) {
      signal?.throwIfAborted()
      await place(staged.path, key)
    },
    async publish(path, key, signal) {
      signal?.throwIfAborted()
      await incoming.own(path)
      await place(path, key)
    },
    async checkOut(key, recorded, signal) {
      signal?.throwIfAborted()
      const path = pathOf(key)
      await compare(path, recorded, signal)
      // The file is already here, so there is nothing to release.
      return { path, [Symbol.asyncDispose]: async () => {} }
    },
    open: (key, range) => openLocal(pathOf(key), range),
    async exists(key) {
      return (await stat(pathOf(key)).catch(() => undefined))?.isFile() ?? false
    },
    async remove(key) {
      await rm(pathOf(key), { force: true })
      // Remove parent folders too, up to the first that is not empty.
      let folder = dirname(pathOf(key))
      while (folder !== root && folder.startsWith(root)) {
        try {
          await rmdir(folder)
        } catch {
          return
        }
        folder = dirname(folder)
      }
    },
  }
}

/** @throws Error if a local file differs from its record. */
async function compare(path: string, { size, sha256 }: Recorded, signal: AbortSignal | undefined): Promise<void> {
  if ((await stat(path)).size !== size) throw differs('size')
  if (sha256 && (await hashOf(path, signal)) !== sha256) throw differs('SHA-256')
}

/** The error of a check-out whose bytes are not those of the record. */
export const differs = (field: 'size' | 'SHA-256') => new Error(`a stored file has another ${field} than recorded`)
