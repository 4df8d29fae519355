import { constants, createWriteStream } from 'node:fs'
import { chmod, chown, copyFile, link, lstat, mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { dir } from 'tmp-promise'
import { ConversionFailure } from '../errors.ts'
import type { EngineUser } from './user.ts'

/** Folders that a sandbox sees; the job's folder around them is the host's alone. */
export const MOUNTED = ['in', 'out', 'scratch'] as const

/** With what the name of a job's folder begins. */
export const JOB = 'job-'

/**
 * Makes a job's folder in `work`; resolves to its path. Its parts belong to `user` (default: the service's own), itself
 * to the service, so that no program can put something else in a part's place.
 */
export async function makeFolder(work: string, user: EngineUser | undefined): Promise<string> {
  const { path: folder } = await dir({ tmpdir: work, prefix: JOB.slice(0, -1), mode: 0o700, keep: true })
  const parts = MOUNTED.map((name) => join(folder, name))
  await Promise.all(parts.map((part) => mkdir(part, { mode: 0o700 })))
  // The user has to pass through; nobody can list the folder above, or guess this one's name.
  if (user) await Promise.all([chmod(folder, 0o711), ...parts.map((part) => chown(part, user.uid, user.gid))])
  return folder
}

/** Makes `scratch/<name>` in a job's folder, which belongs to whoever owns `scratch`. It may be there already. */
export async function makeScratchFolder(folder: string, name: string): Promise<void> {
  const scratch = join(folder, 'scratch')
  const path = join(scratch, name)
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return
    throw error
  }
  const { uid, gid } = await stat(scratch)
  // A program of this job could have put a link in its place meanwhile.
  await using made = await open(path, constants.O_DIRECTORY | constants.O_NOFOLLOW)
  if (process.getuid?.() === 0) await made.chown(uid, gid)
}

/**
 * Puts a stored file into the folder's `in` under `name`: as a hard link, or as a copy from another file system.
 *
 * @param linked false for a copy in any case: where the engine could change the stored file by its link
 */
export async function placeFile(folder: string, source: string, name: string, linked = true): Promise<void> {
  const place = join(folder, 'in', name)
  try {
    if (!linked) throw Object.assign(new Error('not to be linked'), { code: 'EPERM' })
    await link(source, place)
  } catch (error) {
    if (!['EXDEV', 'EPERM', 'EMLINK'].includes((error as NodeJS.ErrnoException).code!)) throw error
    await copyFile(source, place, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
    const { uid, gid, mode } = await stat(source)
    if (process.getuid?.() === 0) await chown(place, uid, gid)
    await chmod(place, mode & 0o777)
  }
}

/** A plain file that no program can reach any more. */
export interface Result {
  /** Host path. */
  path: string
  /** Bytes. */
  size: number
}

/**
 * Takes a result out of the sandbox's reach and only then looks at it, so that no process of the sandbox can put
 * something else in its place. Resolves to undefined when there is none. A process that lives on can still write to
 * the file itself, by a descriptor: see `separate`.
 * Throws CONVERSION_ERROR for anything but a plain file with one name and some content.
 */
export async function takeResult(folder: string, name: string): Promise<Result | undefined> {
  const [made, path] = [join(folder, 'out', name), join(folder, name)]
  try {
    // A folder would be in the way of what comes later.
    if (!(await lstat(made)).isFile()) throw new Error('no plain file')
    await rename(made, path)
    // O_NONBLOCK: opening a FIFO must not wait for a writer.
    await using file = await open(path, READ_ONLY)
    const stats = await file.stat()
    if (!stats.isFile() || stats.nlink !== 1 || stats.size === 0) {
      throw new Error(`mode ${stats.mode.toString(8)}, ${stats.nlink} names, ${stats.size} bytes`)
    }
    return { path, size: stats.size }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new ConversionFailure('CONVERSION_ERROR', 'The conversion gave no usable file', { cause })
  }
}

const READ_ONLY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * Puts a copy in a result's place, which belongs to the service and which nobody else has open. It has the size that
 * was seen before, or less when the file shrank meanwhile.
 */
export async function separate({ path, size }: Result): Promise<Result> {
  const copy = `${path}.copy`
  await using from = await open(path, READ_ONLY)
  // Not by copyFile(), which keeps the mode: the engine may have set the bits that lend the owner's rights.
  await pipeline(from.createReadStream({ end: size - 1 }), createWriteStream(copy, { flags: 'wx', mode: 0o644 }))
  await chmod(copy, 0o644) // whatever the service's umask is
  await rename(copy, path)
  return { path, size: (await lstat(path)).size }
}

/**
 * Removes what is left of a job in the folder, if that is cheap: at most 32 plain files or links in each part.
 * Resolves to whether all is empty now.
 */
export async function emptied(folder: string): Promise<boolean> {
  const left = await Promise.all([folder, ...MOUNTED.map((name) => join(folder, name))].map(clear))
  return left.flat().length === 0
}

/** Removes what is left of a failed run: as `emptied`, but the source stays. */
export async function clearedRun(folder: string): Promise<boolean> {
  const left = await Promise.all([folder, join(folder, 'out'), join(folder, 'scratch')].map(clear))
  return left.flat().length === 0
}

/** Removes a few plain files or links right in `path`, of which the first is the job's folder; resolves to the rest. */
async function clear(path: string, index: number): Promise<string[]> {
  const atRoot = index === 0
  const entries = await readdir(path, { withFileTypes: true })
  const own = atRoot ? entries.filter(({ name }) => !(MOUNTED as readonly string[]).includes(name)) : entries
  const plain = own.filter((entry) => entry.isFile() || entry.isSymbolicLink()).slice(0, 32)
  // A name that is no UTF-8 is not found again, and left to a program that takes names as they are.
  const gone = await Promise.all(
    plain.map(({ name }) =>
      unlink(join(path, name)).then(
        () => true,
        () => false,
      ),
    ),
  )
  const removed = plain.filter((_, index) => gone[index])
  return own.filter((entry) => !removed.includes(entry)).map(({ name }) => join(path, name))
}
