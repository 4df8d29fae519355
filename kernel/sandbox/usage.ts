import { constants, type Dirent, type PathLike } from 'node:fs'
import { type FileHandle, lstat, open, opendir } from 'node:fs/promises'

const DEPTH = 128

/** What lies in a job's folders. */
export interface DiskUsage {
  bytes: number
  files: number
}

/** A tree that cannot be measured: nested too deeply, or closed to the service. */
export class UnmeasurableError extends Error {}

/**
 * Adds up folders that a hostile program may be writing to meanwhile: what vanishes is skipped, and counting stops as
 * soon as `most` is exceeded in one respect. Throws UnmeasurableError.
 *
 * A program could put a link in the place of a folder at any moment. So each folder is opened by its name in the one
 * above, which stays open, and never by a path of several names. Names are bytes: a program can choose them so that no
 * text has the same.
 */
export async function measure(folders: readonly string[], most: DiskUsage): Promise<DiskUsage> {
  const usage = { bytes: 0, files: 0 }
  for (const path of folders) await measureFolder(path, 0)
  return usage

  async function measureFolder(path: PathLike, depth: number): Promise<void> {
    if (depth > DEPTH) throw new UnmeasurableError('folders nested too deeply')
    await using folder = await opened(path)
    if (!folder) return
    const inside = Buffer.from(`/proc/self/fd/${folder.fd}/`)
    const batch: Buffer[] = []
    const inner: Buffer[] = []
    for await (const entry of await entriesOf(inside)) {
      if (++usage.files > most.files) return
      if (entry.isDirectory()) inner.push(Buffer.concat([inside, entry.name]))
      else batch.push(Buffer.concat([inside, entry.name]))
      if (batch.length === 64) await add(batch.splice(0))
      if (usage.bytes > most.bytes) return
    }
    await add(batch)
    for (const path of inner) {
      await measureFolder(path, depth + 1)
      if (usage.files > most.files || usage.bytes > most.bytes) return
    }
  }

  async function add(paths: readonly Buffer[]) {
    const found = await Promise.all(paths.map((path) => lstat(path).catch(() => undefined)))
    // Blocks and not length: a sparse file takes no room.
    for (const stats of found) usage.bytes += (stats?.blocks ?? 0) * 512
  }
}

/** Bytes of the largest file right in a folder, its holes included: so many would be sent. */
export async function largest(folder: string): Promise<number> {
  let most = 0
  for await (const { name } of await entriesOf(folder)) {
    const stats = await lstat(Buffer.concat([Buffer.from(`${folder}/`), name])).catch(() => undefined)
    if (stats?.isFile()) most = Math.max(most, stats.size)
  }
  return most
}

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/** Undefined for what is no folder, or not any more. */
async function opened(path: PathLike): Promise<FileHandle | undefined> {
  try {
    return await open(path, FOLDER)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code!)) return undefined
    throw new UnmeasurableError('a closed folder')
  }
}

async function entriesOf(path: PathLike): Promise<AsyncIterable<Dirent<Buffer>>> {
  try {
    // The type knows texts alone.
    return (await opendir(path as string, { encoding: 'buffer' as 'utf8' })) as unknown as AsyncIterable<Dirent<Buffer>>
  } catch {
    throw new UnmeasurableError('a closed folder')
  }
}
