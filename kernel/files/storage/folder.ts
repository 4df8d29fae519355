import { mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { openLocal } from './file-stream.ts'
import { asServiceError, hashOf, type Staging } from './incoming.ts'
import type { Recorded, Storage } from './storage.ts'

/** Milliseconds for which a file that matched its record is not read again, while its times and size stay the same. */
const TRUSTED = 60_000
/** Milliseconds after its last change within which that of a file is not remembered. */
const YOUNG = 1000
/** Most files of which that is remembered. */
const REMEMBERED = 1000

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
  const compare = createCompare()

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

/**
 * Makes what compares local files with their records. Often several conversions of one upload follow each other, and a
 * hash takes 1 ms of processor time for each megabyte.
 */
function createCompare() {
  const matched = new Map<string, { identity: string; at: number }>()

  /** @throws Error if a file differs from its record. */
  return async function compare(path: string, { size, sha256 }: Recorded, signal?: AbortSignal): Promise<void> {
    const found = await stat(path, { bigint: true })
    if (found.size !== BigInt(size)) throw differs('size')
    if (!sha256) return
    // Not the time of the last change of the inode: each link into a sandbox sets it.
    const identity = `${found.dev}:${found.ino}:${found.mtimeNs}:${sha256}`
    const before = matched.get(path)
    const at = performance.now()
    if (before?.identity === identity && at - before.at < TRUSTED) return
    if ((await hashOf(path, signal)) !== sha256) throw differs('SHA-256')
    matched.delete(path)
    // File systems tell times apart only some milliseconds later, so another change could have the same time.
    if (Date.now() - Number(found.mtimeMs) < YOUNG) return
    matched.set(path, { identity, at })
    const [oldest] = matched.keys()
    if (oldest !== undefined && matched.size > REMEMBERED) matched.delete(oldest)
  }
}

/** The error of a check-out whose bytes are not those of the record. */
export const differs = (field: 'size' | 'SHA-256') => new Error(`a stored file has another ${field} than recorded`)
