import { constants, type Dirent, type PathLike } from 'node:fs'
import { type FileHandle, lstat, open, opendir, readdir, stat } from 'node:fs/promises'

const DEPTH = 128

/** Disk use of a job's folders. */
export interface DiskUsage {
  bytes: number
  files: number
}

/** A tree that cannot be measured: it is nested too deeply, or the service may not read it. */
export class UnmeasurableError extends Error {}

/**
 * Adds up the use of folders while a hostile program may be writing to them. Skips entries that vanish, and stops as
 * soon as bytes or files exceed `max`. Throws UnmeasurableError.
 *
 * A program could replace a folder with a link at any moment. So the walk opens each folder by its name in the parent,
 * which stays open, and never by a path of several names. Names are bytes: a program can choose names that no string
 * can represent.
 */
export async function measure(folders: readonly string[], max: DiskUsage): Promise<DiskUsage> {
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
      if (++usage.files > max.files) return
      if (entry.isDirectory()) inner.push(Buffer.concat([inside, entry.name]))
      else batch.push(Buffer.concat([inside, entry.name]))
      if (batch.length === 64) await add(batch.splice(0))
      if (usage.bytes > max.bytes) return
    }
    await add(batch)
    for (const path of inner) {
      await measureFolder(path, depth + 1)
      if (usage.files > max.files || usage.bytes > max.bytes) return
    }
  }

  async function add(paths: readonly Buffer[]) {
    const found = await Promise.all(paths.map((path) => lstat(path).catch(() => undefined)))
    // Blocks, not length: the holes of a sparse file take no space.
    for (const stats of found) usage.bytes += (stats?.blocks ?? 0) * 512
  }
}

/** Bytes of the largest file directly in a folder. Holes count, because the service would send them too. */
export async function largest(folder: string): Promise<number> {
  let max = 0
  for await (const { name } of await entriesOf(folder)) {
    const stats = await lstat(Buffer.concat([Buffer.from(`${folder}/`), name])).catch(() => undefined)
    if (stats?.isFile()) max = Math.max(max, stats.size)
  }
  return max
}

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/** Opens a folder; undefined if the path is not a folder, or no longer. */
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
    // The type allows only text encodings.
    return (await opendir(path as string, { encoding: 'buffer' as 'utf8' })) as unknown as AsyncIterable<Dirent<Buffer>>
  } catch {
    throw new UnmeasurableError('a closed folder')
  }
}

/**
 * Returns the bytes on one disk of files that processes have open but that no longer have a name, so that no folder
 * walk finds them. Counts each file once, but not files kept without a descriptor: see `OVERWRITTEN`.
 *
 * @param device `dev` of stat(2)
 */
export async function unlinkedBytes(pids: Iterable<number>, device: number): Promise<number> {
  const sizes = new Map<number, number>()
  for (const pid of pids) {
    const folder = `/proc/${pid}/fd`
    // stat() on these links examines the open files without opening them again: proc_pid_fd(5).
    const found = await Promise.all(
      (await readdir(folder).catch(() => [])).map((name) => stat(`${folder}/${name}`).catch(() => undefined)),
    )
    for (const file of found) {
      if (file?.isFile() && file.nlink === 0 && file.dev === device) sizes.set(file.ino, file.blocks * 512)
    }
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0)
}

/**
 * How many times its disk limit a run may write in total. A mapping or a socket queue can also keep a file without a
 * name, where the service cannot count it. But a program must write each such file once.
 */
export const OVERWRITTEN = 4
