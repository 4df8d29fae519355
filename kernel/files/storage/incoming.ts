import { createHash, randomUUID } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { chmod, chown, copyFile, link, mkdir, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { freeBytes } from '../../disk-space.ts'
import { isFull, storageFull } from '../../errors.ts'
import { orAborted } from './or-aborted.ts'
import { READ, type StagedFile, type Storage } from './storage.ts'

/** A folder for files that are not stored yet. */
export interface Staging extends Pick<Storage, 'stage' | 'adopt' | 'hasRoom'> {
  /** Gives a file to the service's user. Only the service and the reader group may read it. */
  own(path: string): Promise<void>
  /** Makes a new path in the folder. */
  newPath(): string
}

/**
 * Opens such a folder, and creates it if it is missing.
 *
 * @param freeDisk Free bytes below which it refuses new files.
 * @param reader Group of the engines' user, if not the service's. It reads stored files through links in its sandbox.
 * @param hashed Whether staged files get their SHA-256.
 * @param hasRoom Asked before a file is staged. Default: whether so many bytes are free.
 */
export async function openIncoming({
  folder,
  freeDisk,
  reader,
  hashed,
  hasRoom = async () => (await freeBytes(folder)) >= freeDisk,
}: {
  folder: string
  freeDisk: number
  reader?: number | undefined
  hashed: boolean
  hasRoom?: () => Promise<boolean>
}): Promise<Staging> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const newPath = () => join(folder, randomUUID())

  async function own(path: string): Promise<void> {
    if (process.getuid?.() === 0) await chown(path, 0, reader ?? 0)
    await chmod(path, reader === undefined ? 0o600 : 0o640)
  }

  const staged = (path: string, size: number, sha256: string | undefined): StagedFile => ({
    path,
    size,
    ...(sha256 && { sha256 }),
    discard: () => rm(path, { force: true }),
  })

  return {
    own,
    newPath,
    hasRoom,
    async stage(source, signal, arrived) {
      if (!(await hasRoom())) throw storageFull()
      const path = newPath()
      const hash = hashed ? createHash('sha256') : undefined
      let size = 0
      try {
        await using file = await open(path, 'wx', 0o600)
        const put = async (chunk: Buffer) => {
          await arrived(chunk.length)
          hash?.update(chunk)
          await file.appendFile(chunk)
          size += chunk.length
        }
        // Its error becomes that of the source, whose reader must know why it ends.
        const sink = new Writable({ write: (chunk, _encoding, done) => void put(chunk).then(() => done(), done) })
        await pipeline(source, sink, { signal })
        await own(path)
      } catch (error) {
        await rm(path, { force: true })
        throw asServiceError(error)
      }
      return staged(path, size, hash?.digest('hex'))
    },
    async adopt(source) {
      const path = newPath()
      await link(source, path).catch((error) => copyInstead(error, source, path))
      await own(path)
      return staged(path, (await stat(path)).size, hashed ? await hashOf(path) : undefined)
    },
  }
}

/** Returns the SHA-256 of a local file in hexadecimal. Ends at once after an abort, also if a network mount hangs. */
export const hashOf = (path: string, signal = new AbortController().signal): Promise<string> =>
  orAborted(hashAll(path, signal), signal)

async function hashAll(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: READ, signal })) hash.update(chunk)
  return hash.digest('hex')
}

export const asServiceError = (error: unknown) => (isFull(error) ? storageFull(error) : error)

/** Copies a file where the file system has no links (exFAT, some network file systems), or to another one. */
async function copyInstead(error: NodeJS.ErrnoException, source: string, path: string): Promise<void> {
  if (!['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(error.code ?? '')) throw error
  try {
    await copyFile(source, path, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
  } catch (cause) {
    await rm(path, { force: true })
    throw asServiceError(cause)
  }
}
