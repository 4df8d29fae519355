import { link, lstat, rename, unlink } from 'node:fs/promises'
import { join, parse } from 'node:path'

/** Bytes of a file name, on most file systems. */
const MAX_NAME_BYTES = 255

/** Errors of file systems without hard links: FAT, and some network ones. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']

/**
 * Moves a file into a folder of the same file system, under the first free name of `report.pdf`, `report (2).pdf` … No
 * file is overwritten, and whoever looks sees the whole file or none. Resolves to the name.
 *
 * If it was interrupted between its two steps, the next call completes it.
 */
export async function takePlace(path: string, folder: string, wanted: string): Promise<string> {
  for (let count = 1; ; count++) {
    const name = numbered(wanted, count)
    if (await linkTo(path, join(folder, name))) return name
  }
}

/** Resolves to whether the file is at its place now. */
async function linkTo(path: string, place: string): Promise<boolean> {
  try {
    await link(path, place)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') {
      if (!(await isSame(path, place))) return false
    } else {
      if (!NO_LINKS.includes(code)) throw error
      if (await found(place)) return false
      await rename(path, place)
      return true
    }
  }
  await unlink(path)
  return true
}

/** Network file systems have numbers that are too large for `number`: there, different files would look the same. */
const found = (path: string) => lstat(path, { bigint: true }).catch(() => undefined)

/** Whether both are names of one file: an earlier call was interrupted between its two steps. */
async function isSame(path: string, place: string): Promise<boolean> {
  const [a, b] = await Promise.all([found(path), found(place)])
  return a !== undefined && a.ino === b?.ino && a.dev === b.dev
}

/** Returns a name with a number before its extension, of at most 255 bytes. What is too long loses its end. */
function numbered(name: string, count: number): string {
  const { name: stem, ext } = parse(name)
  const number = count > 1 ? ` (${count})` : ''
  const end = number + shortened(ext, MAX_NAME_BYTES - number.length - 1)
  return shortened(stem, MAX_NAME_BYTES - Buffer.byteLength(end)) + end
}

/** Returns as many of the first characters as fit into so many bytes. */
function shortened(text: string, bytes: number): string {
  let short = text
  while (Buffer.byteLength(short) > bytes) short = [...short].slice(0, -1).join('')
  return short
}
