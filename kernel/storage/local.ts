import { randomUUID } from 'node:crypto'
import { close, constants, createReadStream, createWriteStream, open, read } from 'node:fs'
import { chmod, chown, copyFile, link, mkdir, rename, rm, rmdir, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isFull, storageFull } from '../errors.ts'
import type { Storage } from './storage.ts'

/** Bytes per write. */
const WRITE = 256 * 1024
/** Bytes per read. Each slow client holds twice as many in memory. */
export const READ = 256 * 1024

/** Creates storage in a local folder. Each file is written once and then moved by rename. */
export async function createLocalStorage({
  dataDir,
  freeDisk,
  reader,
}: {
  dataDir: string
  /** Free bytes below which the storage refuses new files. */
  freeDisk: number
  /** Group of the engines' user, if not the service's. It reads stored files through links in its sandbox. */
  reader?: number | undefined
}): Promise<Storage> {
  const root = join(dataDir, 'files')
  const incoming = join(dataDir, 'incoming')
  // An earlier process left these uploads unfinished.
  await rm(incoming, { recursive: true, force: true })
  for (const folder of [root, incoming]) await mkdir(folder, { recursive: true, mode: 0o700 })

  const pathOf = (key: string) => join(root, key)

  /** Gives a file to the service's user. Only the service and the reader group may read it. */
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
        // The sweeper removed the empty folder in between.
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
    async adopt(source) {
      const path = join(incoming, randomUUID())
      await link(source, path).catch((error) => copyInstead(error, source, path))
      await own(path)
      return { path, size: (await stat(path)).size, discard: () => rm(path, { force: true }) }
    },
    keep: (staged, key) => place(staged.path, key),
    async publish(path, key) {
      await own(path)
      await place(path, key)
    },
    // The file is already local, so there is nothing to copy or release.
    checkOut: async (key) => ({ path: pathOf(key), [Symbol.asyncDispose]: async () => {} }),
    open: (key, range): Readable => createReadStream(pathOf(key), { ...range, highWaterMark: READ, fs: whole }),
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
    free,
    async hasRoom() {
      return (await free()) >= freeDisk
    },
  }
}

/** Counts bytes before it passes them on. */
const counting = (arrived: (bytes: number) => Promise<void>) =>
  new Transform({
    transform: (chunk: Buffer, _encoding, done) => void arrived(chunk.length).then(() => done(null, chunk), done),
  })

/** Reads for a stream with an `end`. The stream never reads past it, so an empty read means a truncated file. */
const whole: NonNullable<Parameters<typeof createReadStream>[1] & object>['fs'] = {
  ...{ open, close },
  read: (fd, buffer, offset, length, position, done) =>
    read(fd, buffer, offset, length, position, (error, count, into) =>
      done(error ?? (count ? null : new Error('a stored file is shorter than recorded')), count, into),
    ),
}

const asServiceError = (error: unknown) => (isFull(error) ? storageFull(error) : error)

/** Copies a file where the file system has no links (exFAT, some network file systems). */
async function copyInstead(error: NodeJS.ErrnoException, source: string, path: string): Promise<void> {
  if (!['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(error.code!)) throw error
  try {
    await copyFile(source, path, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
  } catch (cause) {
    await rm(path, { force: true })
    throw asServiceError(cause)
  }
}
