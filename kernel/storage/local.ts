import { randomUUID } from 'node:crypto'
import { close, createReadStream, createWriteStream, open, read } from 'node:fs'
import { chmod, chown, mkdir, rename, rm, rmdir, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isFull, storageFull } from '../errors.ts'
import type { Storage } from './storage.ts'

/** Bytes that are written at a time. */
const WRITE = 256 * 1024
/** Bytes that are read at a time: twice as many are held for each client that reads slowly. */
export const READ = 256 * 1024

/** Storage in a folder of this machine: what is written there is written once and moved by rename. */
export async function createLocalStorage({
  dataDir,
  freeDisk,
  reader,
}: {
  dataDir: string
  /** Free bytes below which nothing more is taken in. */
  freeDisk: number
  /** Group of the engines' user, when that is not the service's own: it reads a stored file by a link in its sandbox. */
  reader?: number | undefined
}): Promise<Storage> {
  const root = join(dataDir, 'files')
  const incoming = join(dataDir, 'incoming')
  // What an earlier life was still receiving belongs to nobody.
  await rm(incoming, { recursive: true, force: true })
  for (const folder of [root, incoming]) await mkdir(folder, { recursive: true, mode: 0o700 })

  const pathOf = (key: string) => join(root, key)

  /** Makes a file the service's, whoever made it, and lets nobody else read it but the reader. */
  async function own(path: string): Promise<void> {
    if (process.getuid?.() === 0) await chown(path, 0, reader ?? 0)
    await chmod(path, reader === undefined ? 0o600 : 0o640)
  }

  async function place(path: string, key: string): Promise<void> {
    const target = pathOf(key)
    for (let attempt = 1; ; attempt++) {
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      try {
        return await rename(path, target)
      } catch (error) {
        // The sweeper removed the emptied folder in between.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === 3) throw asServiceError(error)
      }
    }
  }

  async function free(): Promise<number> {
    const { bavail, bsize } = await statfs(root)
    return bavail * bsize
  }

  return {
    async stage(source, signal, arrived) {
      if ((await free()) < freeDisk) throw storageFull()
      const path = join(incoming, randomUUID())
      const target = createWriteStream(path, { flags: 'wx', mode: 0o600, highWaterMark: WRITE })
      try {
        await pipeline(source, counting(arrived), target, { signal })
        await own(path)
      } catch (error) {
        await rm(path, { force: true })
        throw asServiceError(error)
      }
      return { path, size: target.bytesWritten, discard: () => rm(path, { force: true }) }
    },
    keep: (staged, key) => place(staged.path, key),
    async publish(path, key) {
      await own(path)
      await place(path, key)
    },
    // The file itself: nothing is brought, and nothing is to be given back.
    checkOut: async (key) => ({ path: pathOf(key), [Symbol.asyncDispose]: async () => {} }),
    open: (key, range): Readable => createReadStream(pathOf(key), { ...range, highWaterMark: READ, fs: whole }),
    async exists(key) {
      return (await stat(pathOf(key)).catch(() => undefined))?.isFile() ?? false
    },
    async remove(key) {
      await rm(pathOf(key), { force: true })
      // Folders of days that hold nothing any more go too; the first that is not empty ends it.
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
    free,
    async hasRoom() {
      return (await free()) >= freeDisk
    },
  }
}

/** Passes bytes on once they are counted. */
const counting = (arrived: (bytes: number) => Promise<void>) =>
  new Transform({
    transform: (chunk: Buffer, _encoding, done) => void arrived(chunk.length).then(() => done(null, chunk), done),
  })

/** Reading for a stream with an end: it is never asked for bytes beyond, so no bytes mean that the file is shorter. */
const whole: NonNullable<Parameters<typeof createReadStream>[1] & object>['fs'] = {
  ...{ open, close },
  read: (fd, buffer, offset, length, position, done) =>
    read(fd, buffer, offset, length, position, (error, count, into) =>
      done(error ?? (count ? null : new Error('a stored file is shorter than recorded')), count, into),
    ),
}

const asServiceError = (error: unknown) => (isFull(error) ? storageFull(error) : error)
