import { lstat, opendir, statfs } from 'node:fs/promises'
import { join } from 'node:path'

/** Bytes on the disk of a folder. */
export interface Space {
  /** What the service may still write. */
  free: number
  /** What all the files below the folder take. */
  used: number
}

/** Milliseconds that a walk through the folder counts. */
const FRESH = 60_000

/** Makes a meter of a folder's space. The folder is walked at most once a minute; until then `used` is as it was. */
export function createSpace(folder: string): () => Promise<Space> {
  let used: Promise<number> | undefined
  let walked = 0
  return async () => {
    if (!used || performance.now() - walked > FRESH) {
      walked = performance.now()
      used = walk(folder)
    }
    const { bavail, bsize } = await statfs(folder)
    return { free: bavail * bsize, used: await used }
  }
}

/** Adds up what is below a folder; what vanishes meanwhile, or may not be read, does not count. */
async function walk(folder: string): Promise<number> {
  let bytes = 0
  const pending = [folder]
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    for await (const entry of await opendir(path).catch(() => [])) {
      const place = join(path, entry.name)
      if (entry.isDirectory()) pending.push(place)
      // Blocks and not length: a sparse file takes no room.
      else bytes += ((await lstat(place).catch(() => undefined))?.blocks ?? 0) * 512
    }
  }
  return bytes
}
