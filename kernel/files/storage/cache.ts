import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { storageFull } from '../../errors.ts'
import { orAborted } from './or-aborted.ts'
import type { Recorded } from './storage.ts'

/** A file in use: it stays until it is released. */
interface Used {
  path: string
  recorded: Recorded
  release(): Promise<void>
}

/** Copies of stored files on this machine. */
export type Cache = Awaited<ReturnType<typeof openCache>>

/** Writes a file to a path, and resolves to its facts. */
type Load = (path: string) => Promise<Recorded>

/** A file, from the moment when it begins to be loaded until it is removed from the disk. */
interface Entry {
  path: string
  /** Not known while it is loaded. */
  recorded: Recorded
  /** Resolves when it is there. Undefined: it is. */
  loading?: Promise<void> | undefined
  /** Callers that read it, or wait for it. While there are any, it stays. */
  users: number
  /** Whether it was removed: nobody finds it any more, and its last user takes it from the disk. */
  isRemoved: boolean
}

/**
 * Opens an empty cache. Above `max` bytes it removes the files that have not been used for longest. Files in use
 * count, and stay.
 *
 * @param free Resolves to the free bytes of the disk.
 * @param freeDisk Bytes that must stay free.
 */
export async function openCache({
  folder,
  max,
  free,
  freeDisk,
}: {
  folder: string
  max: number
  free: () => Promise<number>
  freeDisk: number
}) {
  // The names of an earlier process are lost.
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  /** The entry that was used last comes last. */
  const entries = new Map<string, Entry>()
  /** Bytes of all files on the disk. */
  let stored = 0
  /** Bytes of the files that are being loaded. */
  let reserved = 0

  /** Takes a file from the disk that was removed, unless somebody uses it. */
  async function discard({ path, recorded, users, loading, isRemoved }: Entry): Promise<void> {
    if (users || loading || !isRemoved) return
    stored -= recorded.size
    await rm(path, { force: true })
  }

  /** Removes a file. Another one may have its key meanwhile. */
  async function remove(key: string, entry = entries.get(key)): Promise<void> {
    if (!entry || entry.isRemoved) return
    entry.isRemoved = true
    entries.delete(key)
    await discard(entry)
  }

  async function evict(isEnough: () => Promise<boolean> | boolean): Promise<boolean> {
    for (const [key, entry] of entries) {
      if (await isEnough()) return true
      if (!entry.users && !entry.loading) await remove(key, entry)
    }
    return isEnough()
  }

  const shrink = () => evict(() => stored <= max)
  const makeRoom = (bytes: number, reserve = 0) =>
    evict(async () => {
      // A load that ends meanwhile gives back what the disk may not show yet.
      const before = reserved
      if ((await free()) - Math.max(before, reserved) - bytes < freeDisk) return false
      // At once, or loads at the same time would all get the same room.
      reserved += reserve
      return true
    })

  function use(key: string, entry: Entry): Used {
    entry.users++
    // Now it is the one that was used last.
    if (entries.delete(key)) entries.set(key, entry)
    let isReleased = false
    return {
      path: entry.path,
      get recorded() {
        return entry.recorded
      },
      async release() {
        if (isReleased) return
        isReleased = true
        entry.users--
        await discard(entry)
        await shrink()
      },
    }
  }

  async function loadInto(entry: Entry, size: number, load: Load): Promise<void> {
    if (!(await makeRoom(size, size))) throw storageFull()
    try {
      entry.recorded = await load(entry.path)
      stored += entry.recorded.size
    } catch (error) {
      await rm(entry.path, { force: true })
      throw error
    } finally {
      reserved -= size
    }
  }

  function begin(key: string, size: number, load: Load): Entry {
    const entry: Entry = { path: join(folder, randomUUID()), recorded: { size: 0 }, users: 0, isRemoved: false }
    entries.set(key, entry)
    entry.loading = loadInto(entry, size, load).then(
      async () => {
        entry.loading = undefined
        // It may have been removed meanwhile.
        await discard(entry)
        await shrink()
      },
      async (error) => {
        entry.loading = undefined
        await remove(key, entry)
        throw error
      },
    )
    return entry
  }

  return {
    /** Uses a file, until it is released. Undefined: it is not in the cache. */
    use(key: string) {
      const entry = entries.get(key)
      return entry && !entry.loading ? use(key, entry) : undefined
    },
    /** Removes a file, as soon as nobody uses it. */
    remove: (key: string) => remove(key),
    /** Removes files that nobody uses until the disk has room for `bytes` more. Resolves to whether it has. */
    makeRoom: (bytes: number) => makeRoom(bytes),
    /** Moves a local file into the cache. */
    async put(key: string, path: string, recorded: Recorded) {
      const place = join(folder, randomUUID())
      await rename(path, place)
      const removed = remove(key)
      entries.set(key, { path: place, recorded, users: 0, isRemoved: false })
      stored += recorded.size
      await removed
      await shrink()
    },
    /**
     * Uses a file. If it is missing, `load` writes it to a path. Callers at the same time share one load, which goes on
     * if they abort: the file is then in the cache. @throws ServiceError STORAGE_FULL, and what `load` rejects with.
     */
    async fetch(key: string, size: number, load: Load, signal: AbortSignal | undefined) {
      signal?.throwIfAborted()
      const entry = entries.get(key) ?? begin(key, size, load)
      const used = use(key, entry)
      try {
        const { loading } = entry
        await (signal && loading ? orAborted(loading, signal) : loading)
        return used
      } catch (error) {
        await used.release()
        throw error
      }
    },
  }
}
