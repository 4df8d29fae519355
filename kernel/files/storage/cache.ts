import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { storageFull } from '../../errors.ts'
import { orAborted } from './or-aborted.ts'
import type { Recorded } from './storage.ts'

/** A file in the cache that stays until it is released. */
interface Pinned {
  path: string
  recorded: Recorded
  release(): Promise<void>
}

/** Copies of stored files on this machine. */
export type Cache = Awaited<ReturnType<typeof openCache>>

/** Writes a file to a path, and resolves to its facts. */
type Load = (path: string) => Promise<Recorded>

interface Entry {
  path: string
  recorded: Recorded
  /** Callers that use it, or wait for it. */
  pins: number
  /** Whether it goes with its last pin. */
  doomed: boolean
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
  let used = 0
  /** Bytes of loads under way. */
  let reserved = 0
  /** Loads under way. */
  const loading = new Map<string, { entry: Entry; done: Promise<void> }>()

  async function discard({ path, recorded }: Entry): Promise<void> {
    used -= recorded.size
    await rm(path, { force: true })
  }

  async function evict(isEnough: () => Promise<boolean> | boolean): Promise<boolean> {
    for (const [key, entry] of entries) {
      if (await isEnough()) return true
      if (entry.pins || entries.get(key) !== entry) continue
      entries.delete(key)
      await discard(entry)
    }
    return isEnough()
  }

  const shrink = () => evict(() => used <= max)
  const makeRoom = (bytes: number, reserve = 0) =>
    evict(async () => {
      // A load that ends meanwhile gives back what the disk may not show yet.
      const before = reserved
      if ((await free()) - Math.max(before, reserved) - bytes < freeDisk) return false
      // At once, or loads at the same time would all get the same room.
      reserved += reserve
      return true
    })

  /** Registers a file at once, so that no caller sees a state in between. Resolves when older files are gone. */
  function insert(key: string, entry: Entry): Promise<unknown> {
    const dropped = drop(key)
    entries.set(key, entry)
    used += entry.recorded.size
    return dropped.then(shrink)
  }

  /** Removes a file, as soon as nobody uses it. */
  async function drop(key: string): Promise<void> {
    const load = loading.get(key)
    if (load) load.entry.doomed = true
    const entry = entries.get(key)
    entries.delete(key)
    if (!entry) return
    if (entry.pins) entry.doomed = true
    else await discard(entry)
  }

  function pinned(entry: Entry): Pinned {
    let held = true
    async function release() {
      if (!held) return
      held = false
      if (--entry.pins) return
      if (entry.doomed) await discard(entry)
      else await shrink()
    }
    return {
      path: entry.path,
      get recorded() {
        return entry.recorded
      },
      release,
    }
  }

  /** Pins a file. Undefined: it is not in the cache. */
  function pin(key: string): Pinned | undefined {
    const entry = entries.get(key)
    if (!entry) return undefined
    entry.pins++
    entries.delete(key)
    entries.set(key, entry)
    return pinned(entry)
  }

  async function loadInto(key: string, entry: Entry, size: number, load: Load): Promise<void> {
    if (!(await makeRoom(size, size))) throw storageFull()
    try {
      entry.recorded = await load(entry.path)
    } catch (error) {
      await rm(entry.path, { force: true })
      throw error
    } finally {
      reserved -= size
    }
    loading.delete(key)
    if (!entry.doomed) return void (await insert(key, entry))
    // It was removed meanwhile.
    used += entry.recorded.size
    if (!entry.pins) await discard(entry)
  }

  function begin(key: string, size: number, load: Load) {
    const entry = { path: join(folder, randomUUID()), recorded: { size: 0 }, pins: 0, doomed: false }
    const flight = { entry, done: loadInto(key, entry, size, load).finally(() => loading.delete(key)) }
    loading.set(key, flight)
    return flight
  }

  return {
    pin,
    drop,
    /** Removes files that nobody uses until the disk has room for `bytes` more. Resolves to whether it has. */
    makeRoom: (bytes: number) => makeRoom(bytes),
    /** Moves a local file into the cache. */
    async put(key: string, path: string, recorded: Recorded) {
      const place = join(folder, randomUUID())
      await rename(path, place)
      await insert(key, { path: place, recorded, pins: 0, doomed: false })
    },
    /**
     * Pins a file. If it is missing, `load` writes it to a path. Callers at the same time share one load, which goes on
     * if they abort: the file is then in the cache. @throws ServiceError STORAGE_FULL, and what `load` rejects with.
     */
    async fetch(key: string, size: number, load: Load, signal: AbortSignal | undefined) {
      signal?.throwIfAborted()
      const present = pin(key)
      if (present) return present
      const { entry, done } = loading.get(key) ?? begin(key, size, load)
      entry.pins++
      const own = pinned(entry)
      try {
        await (signal ? orAborted(done, signal) : done)
        return own
      } catch (error) {
        await own.release()
        throw error
      }
    },
  }
}
