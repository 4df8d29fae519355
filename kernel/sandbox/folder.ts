import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, chown, copyFile, link, lstat, mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { dir } from 'tmp-promise'
import { ConversionFailure } from '../errors.ts'
import type { EngineUser } from './walls/user.ts'

/** Folders that a sandbox sees. Only the host sees the job's folder around them. */
export const MOUNTED: readonly string[] = ['in', 'out', 'scratch']

/** Prefix of the names of job folders. */
export const JOB = 'job-'

/**
 * Creates a job's folder in `work` and resolves to its path. Its parts belong to `user` (default: the service's own).
 * The folder itself belongs to the service, so that no program can replace a part.
 */
export async function makeFolder(work: string, user: EngineUser | undefined): Promise<string> {
  const { path: folder } = await dir({ tmpdir: work, prefix: JOB.slice(0, -1), mode: 0o700, keep: true })
  const parts = MOUNTED.map((name) => join(folder, name))
  await Promise.all(parts.map((part) => mkdir(part, { mode: 0o700 })))
  // The user needs search permission. Nobody can list the parent folder or guess this folder's name.
  if (user) await Promise.all([chmod(folder, 0o711), ...parts.map((part) => chown(part, user.uid, user.gid))])
  return folder
}

/** Creates `scratch/<name>` in a job's folder, with the same owner as `scratch`. Keeps an existing one. */
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
  // A program of this job could have replaced the new folder with a link.
  await using made = await open(path, constants.O_DIRECTORY | constants.O_NOFOLLOW)
  if (process.getuid?.() === 0) await made.chown(uid, gid)
}

/**
 * Puts a stored file into the folder's `in` under `name`: as a hard link, or as a copy if linking is not possible.
 *
 * @param linked false to always copy: needed if the engine could change the stored file through the link
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

/** A regular file that programs can no longer reach by a path. */
export interface Result {
  /** Host path. */
  path: string
  /** Bytes. */
  size: number
  /** SHA-256 in hexadecimal, if it was read. */
  sha256?: string
}

/**
 * Moves a result out of the sandbox's reach and then checks it, so that no process of the sandbox can replace it.
 * Resolves to undefined if there is none. A process that still runs can write to the file through an open descriptor:
 * see `separate`.
 * Throws CONVERSION_ERROR unless it is a regular file with exactly one hard link and at least one byte.
 */
export async function takeResult(folder: string, name: string): Promise<Result | undefined> {
  const made = join(folder, 'out', name)
  const path = join(folder, name)
  try {
    // Check before the move: a folder at `path` would block later results of that name.
    if (!(await lstat(made)).isFile()) throw new Error('no plain file')
    await rename(made, path)
    // READ_ONLY has O_NONBLOCK: opening a FIFO must not wait for a writer.
    await using file = await open(path, READ_ONLY)
    const stats = await file.stat()
    if (!stats.isFile() || stats.nlink !== 1 || stats.size === 0) {
      throw new Error(`mode ${stats.mode.toString(8)}, ${stats.nlink} names, ${stats.size} bytes`)
    }
    return { path, size: stats.size }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new ConversionFailure('CONVERSION_ERROR', 'The conversion produced no usable file', { cause })
  }
}

/** Bytes that `separate` copies at a time. */
const PIECE = 256 * 1024
const READ_ONLY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * Replaces a result with a copy that belongs to the service and that no other process has open. The copy has the size
 * that was checked, or less if the file has shrunk since, and its SHA-256: its bytes pass by here.
 */
export async function separate({ path, size }: Result): Promise<Result> {
  const copy = `${path}.copy`
  const hash = createHash('sha256')
  await using from = await open(path, READ_ONLY)
  // Not copyFile(): it keeps the mode, and the engine may have set the setuid or setgid bit.
  await using to = await open(copy, 'wx', 0o644)
  await to.chmod(0o644) // independent of the service's umask
  const room = Buffer.allocUnsafe(Math.min(size, PIECE))
  let copied = 0
  while (copied < size) {
    const { bytesRead } = await from.read(room, 0, Math.min(room.length, size - copied))
    if (bytesRead === 0) break
    hash.update(room.subarray(0, bytesRead))
    await to.writeFile(room.subarray(0, bytesRead))
    copied += bytesRead
  }
  await rename(copy, path)
  return { path, size: copied, sha256: hash.digest('hex') }
}

/**
 * Removes what a job left in its folder, if that is cheap: at most 32 regular files or links in each part. Resolves to
 * true if everything is empty afterwards.
 */
export const emptied = (folder: string): Promise<boolean> => emptiedParts(folder, MOUNTED)

/** Removes what a failed run left: like `emptied`, but keeps the source. */
export const clearedRun = (folder: string): Promise<boolean> => emptiedParts(folder, ['out', 'scratch'])

async function emptiedParts(folder: string, parts: readonly string[]): Promise<boolean> {
  const left = await Promise.all([clear(folder, MOUNTED), ...parts.map((name) => clear(join(folder, name)))])
  return left.every((count) => count === 0)
}

/** Removes at most 32 files or links directly in `path`, except `kept`; resolves to the number of other entries. */
async function clear(path: string, kept: readonly string[] = []): Promise<number> {
  const entries = (await readdir(path, { withFileTypes: true })).filter(({ name }) => !kept.includes(name))
  const plain = entries.filter((entry) => entry.isFile() || entry.isSymbolicLink()).slice(0, 32)
  // unlink() does not find names that are not UTF-8. `emptyFolder` removes those with a program that takes raw bytes.
  const removed = await Promise.allSettled(plain.map(({ name }) => unlink(join(path, name))))
  return entries.length - removed.filter(({ status }) => status === 'fulfilled').length
}
