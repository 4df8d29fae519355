import { createWriteStream } from 'node:fs'
import { access, lstat, mkdir, open, readdir, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type After, type ClaimedFile, type Convert, Unconvertible } from './convert.ts'
import type { Kept } from './kept-files.ts'
import { takePlace } from './take-place.ts'

/** What happened to a file. */
export type WatchOutcome = { result: string } | { failure: string }

/** Where things are. */
interface WatchedPlaces {
  /** The watched folder. */
  from: string
  /** The folder of results. */
  into: string
  after: After
  /** The files that stay where they are. */
  kept: Kept
}

/** Names in the folder of a claim. Each stands for a step that is done. */
const SOURCE = 'source'
const STARTED = 'started'
const PLACED = 'placed'
const REASON = 'reason.txt'

/**
 * Moves a file of the watched folder into a folder of its own, so that nobody else takes it. Resolves to undefined if
 * it is gone. @throws Error of `rename` if this file cannot be moved, and others if the folder cannot be used.
 */
export async function claim(from: string, name: string, folder: string): Promise<string | undefined> {
  // Not with their parents: a watched folder that has gone must not be made.
  await mkdir(folder, { mode: 0o700 })
  await mkdir(join(folder, SOURCE), { mode: 0o700 })
  try {
    await rename(join(from, name), join(folder, SOURCE, name))
    return folder
  } catch (error) {
    await rm(folder, { recursive: true })
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Resolves to the name of a claimed file; undefined if it has been moved out of the way. */
export async function claimedName(folder: string): Promise<string | undefined> {
  const names = await readdir(join(folder, SOURCE)).catch(noneIfMissing)
  return names?.[0]
}

/**
 * Whoever writes into the watched folder could put something else under the name just before it was claimed: a link
 * would be followed, and a pipe would never end. @throws Unconvertible.
 */
async function requireFile(path: string): Promise<void> {
  if (!(await lstat(path)).isFile()) throw new Unconvertible('It is not a file; only files are converted')
}

/**
 * Does what is left to do for a claimed file: converts it, publishes the result under its name by one rename, and
 * moves the file out of the way. The state is in the file system alone, and each step either is done or is not. So
 * whenever the process is killed, the next call goes on, and the result appears once.
 *
 * @returns Undefined if nothing was left to do. @throws what passes, such as a full disk.
 */
export async function settle(
  folder: string,
  id: string,
  places: WatchedPlaces,
  convert: Convert,
  signal: AbortSignal,
): Promise<WatchOutcome | undefined> {
  const name = await claimedName(folder)
  if (name === undefined) {
    // Only the reason of a failure can be left.
    if (await read(join(folder, REASON))) await moveReason(folder, places.from, 'file')
    await rm(folder, { recursive: true })
    return undefined
  }
  const source = { path: join(folder, SOURCE, name), name }
  const part = join(places.into, `.athanor-${id}.part`)
  try {
    const result = (await read(join(folder, PLACED))) ?? (await write(folder, source, part, convert, signal))
    const published = await publish(part, places.into, result)
    await dispose(source, places)
    await rm(folder, { recursive: true })
    return { result: published ?? result }
  } catch (error) {
    if (!(error instanceof Unconvertible)) throw error
    await rm(part, { force: true })
    await writeFile(join(folder, REASON), `${error.message}\n`)
    const failed = join(places.from, 'failed')
    await mkdir(failed, { recursive: true })
    await moveReason(folder, places.from, await takePlace(source.path, failed, name))
    await rm(folder, { recursive: true })
    return { failure: error.message }
  }
}

async function moveReason(folder: string, from: string, name: string): Promise<void> {
  await mkdir(join(from, 'failed'), { recursive: true })
  await takePlace(join(folder, REASON), join(from, 'failed'), `${name}.txt`)
}

/** Converts, and writes the result beside its place. Resolves to the name that it shall have. */
async function write(
  folder: string,
  source: ClaimedFile,
  part: string,
  convert: Convert,
  signal: AbortSignal,
): Promise<string> {
  await requireFile(source.path)
  const started = join(folder, STARTED)
  const result = await convert(source, await read(started), (id) => writeFile(started, id), signal)
  await pipeline(await result.open(), createWriteStream(part), { signal })
  const { atime, mtime } = await stat(source.path)
  {
    await using output = await open(part, 'r+')
    await output.sync()
    await output.utimes(atime, mtime)
  }
  // A name that is half-written is none.
  await writeFile(`${join(folder, PLACED)}.part`, result.name, { flush: true })
  await rename(`${join(folder, PLACED)}.part`, join(folder, PLACED))
  await result.release()
  return result.name
}

/** Gives the result its name. Resolves to undefined if that was done before. */
async function publish(part: string, into: string, name: string): Promise<string | undefined> {
  const isThere = await access(part).then(
    () => true,
    () => false,
  )
  if (!isThere) return undefined
  const given = await takePlace(part, into, name)
  // Before the source goes: a power failure must not lose both. Some network file systems sync no folders.
  await using folder = await open(into, 'r')
  await folder.sync().catch(() => {})
  return given
}

/** Moves a converted file out of the way. */
async function dispose({ path, name }: ClaimedFile, { from, after, kept }: WatchedPlaces): Promise<void> {
  if (after === 'delete') return unlink(path)
  if (after === 'keep') {
    await kept.add(name, path)
    const given = await takePlace(path, from, name)
    if (given !== name) await kept.add(given, join(from, given))
    return
  }
  const folder = join(from, after)
  await mkdir(folder, { recursive: true })
  await takePlace(path, folder, name)
}

/** Resolves to the text of a file, or to undefined if there is none. */
async function read(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(noneIfMissing)
}

function noneIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
