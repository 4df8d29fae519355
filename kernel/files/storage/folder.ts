import { mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
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
export async function storeInFolder(
  root: string,
  incoming: Staging,
): Promise<Omit<Storage, 'isAway' | 'sweep' | 'close'>> {
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
    stage: incoming.stage,
    adopt: incoming.adopt,
    hasRoom: incoming.hasRoom,
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
    async list(prefix) {
      const names = await readdir(pathOf(prefix)).catch(ifMissing([]))
      const sizes = await Promise.all(names.map((name) => stat(pathOf(prefix + name)).catch(ifMissing(undefined))))
      // One without a size was removed meanwhile.
      return names.flatMap((name, index) => (sizes[index] ? [{ key: prefix + name, size: sizes[index].size }] : []))
    },
    remove: (key) => removeBelow(root, key),
  }
}

/** Handles the error of a missing file or folder by another value. */
const ifMissing =
  <T>(value: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code !== 'ENOENT') throw error
    return value
  }

/** Removes a stored file, and its parent folders up to the first that is not empty. A missing file is no error. */
export async function removeBelow(root: string, key: string): Promise<void> {
  const path = join(root, key)
  await rm(path, { force: true })
  let folder = dirname(path)
  while (folder !== root && folder.startsWith(root)) {
    try {
      await rmdir(folder)
    } catch {
      return
    }
    folder = dirname(folder)
  }
}

/** @throws Error if a local file differs from its record. */
async function compare(path: string, { size, sha256 }: Recorded, signal?: AbortSignal): Promise<void> {
  if ((await stat(path)).size !== size) throw differs('size')
  if (sha256 && (await hashOf(path, signal)) !== sha256) throw differs('SHA-256')
}

/** The error of a check-out whose bytes are not those of the record. */
export const differs = (field: 'size' | 'SHA-256') => new Error(`a stored file has another ${field} than recorded`)
