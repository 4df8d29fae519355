import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { link, mkdir, readdir, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { StartError, storageAway } from '../../errors.ts'
import { ABANDONED, hourly } from './abandoned.ts'
import { storeInFolder } from './folder.ts'
import { asServiceError, openIncoming, type Staging } from './incoming.ts'
import type { Storage } from './storage.ts'

/**
 * Creates storage in a folder that several nodes share. Each process stages files in its own folder, so that no start
 * removes files of another node. Files have a SHA-256: they pass a network.
 *
 * @throws StartError if the folder is missing or cannot be written to.
 */
export async function createSharedStorage({
  folder,
  freeDisk,
  reader,
  abandoned = ABANDONED,
}: {
  folder: string
  freeDisk: number
  reader?: number | undefined
  /** Milliseconds after which unfinished files are swept. */
  abandoned?: number
}): Promise<Storage> {
  const all = join(folder, 'incoming')
  const own = join(all, randomUUID())
  const incoming = await open(folder, () => openIncoming({ folder: own, freeDisk, reader, hashed: true }).then(tryOut))
  const files = await open(folder, () => storeInFolder(join(folder, 'files'), incoming))
  let away = false

  /** Removes files that no process writes to any more, and the folders of stopped processes. */
  async function sweep(now: number, limit: number): Promise<number> {
    let removed = 0
    // Other nodes see by its time that this one is alive.
    await mkdir(own, { recursive: true, mode: 0o700 })
    await utimes(own, now / 1000, now / 1000)
    for (const node of await readdir(all)) {
      const place = join(all, node)
      for (const name of await readdir(place).catch(() => [])) {
        if (removed >= limit) return removed
        if (!(await isOld(join(place, name), now - abandoned))) continue
        await rm(join(place, name), { force: true, recursive: true })
        removed++
      }
      // Fails unless the folder is empty, which is fine.
      if (place !== own && (await isOld(place, now - abandoned))) await rmdir(place).catch(() => {})
    }
    return removed
  }

  return {
    ...files,
    async publish(path, key, signal) {
      const staged = incoming.newPath()
      try {
        await bring(path, staged, signal)
        await files.publish(staged, key, signal)
        await rm(path, { force: true })
      } catch (error) {
        await rm(staged, { force: true })
        throw asServiceError(error)
      }
    },
    async hasRoom() {
      try {
        const room = await files.hasRoom()
        away = false
        return room
      } catch (cause) {
        away = true
        throw storageAway(cause)
      }
    },
    isAway: () => away,
    sweep: hourly(sweep),
    // Fails if the folder is not empty. Another node sweeps it later.
    close: () => rmdir(own).catch(() => {}),
  }
}

/** Links a file into the folder, or copies it from another file system. */
async function bring(path: string, staged: string, signal: AbortSignal | undefined): Promise<void> {
  try {
    await link(path, staged)
  } catch {
    // `wx`: nothing may be replaced.
    await pipeline(createReadStream(path), createWriteStream(staged, { flags: 'wx', mode: 0o600 }), { signal })
  }
}

const isOld = (path: string, before: number) =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs <= before,
    () => false,
  )

/** Runs a step of the start. The folder itself is not created: a share that is not mounted must be noticed. */
async function open<T>(folder: string, step: () => Promise<T>): Promise<T> {
  try {
    await stat(folder)
    return await step()
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'does not exist; mount or create it' : `cannot be used (${code})`
    throw new StartError(`STORAGE_URL: ${folder} ${reason}.`, { cause })
  }
}

/** @throws if files there cannot be given to the group of the engines' user, as on NFS with `root_squash`. */
async function tryOut(incoming: Staging): Promise<Staging> {
  const path = incoming.newPath()
  try {
    await writeFile(path, '', { mode: 0o600, flag: 'wx' })
    await incoming.own(path)
  } finally {
    await rm(path, { force: true })
  }
  return incoming
}
