import { lstat, opendir, statfs } from 'node:fs/promises'
import { join } from 'node:path'

/** Disk space of a folder, in bytes. */
export interface Space {
  /** Bytes that the service may still write. */
  free: number
  /** Bytes that all files below the folder occupy. */
  used: number
}

/** Milliseconds for which the result of a walk is reused. */
const FRESH = 60_000

/** Returns a function that measures a folder's space. It walks the folder at most once a minute and caches `used`. */
export function createSpace(folder: string): () => Promise<Space> {
  let used: Promise<number> | undefined
  let walked = 0
  return async () => {
    if (!used || performance.now() - walked > FRESH) {
      walked = performance.now()
      used = walk(folder)
    }
    return { free: await freeBytes(folder), used: await used }
  }
}

/** Resolves to the free bytes of a folder's disk. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Sums the files below a folder. Skips files that vanish meanwhile or cannot be read. */
async function walk(folder: string): Promise<number> {
  let bytes = 0
  const pending = [folder]
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    for await (const entry of await opendir(path).catch(() => [])) {
      const place = join(path, entry.name)
      if (entry.isDirectory()) pending.push(place)
      // Count blocks, not length: holes in a sparse file take no space.
      else bytes += ((await lstat(place).catch(() => undefined))?.blocks ?? 0) * 512
    }
  }
  return bytes
}
