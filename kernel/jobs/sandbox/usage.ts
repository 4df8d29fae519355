import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'

const DEPTH = 128

/** What lies in a job's folders. */
export interface DiskUsage {
  bytes: number
  files: number
}

/** A tree that cannot be measured: nested too deeply, or closed to the service. */
export class UnmeasurableError extends Error {}

/**
 * Adds up folders that a hostile program may be writing to meanwhile: what vanishes is skipped, links are not
 * followed, and counting stops as soon as `most` is exceeded in one respect. Throws UnmeasurableError.
 */
export async function measure(folders: readonly string[], most: DiskUsage): Promise<DiskUsage> {
  const usage = { bytes: 0, files: 0 }
  const pending = folders.map((path) => ({ path, depth: 0 }))
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { path, depth } = next
    if (depth > DEPTH) throw new UnmeasurableError('folders nested too deeply')
    const batch: string[] = []
    for await (const entry of await opened(path)) {
      if (++usage.files > most.files) return usage
      if (entry.isDirectory()) pending.push({ path: join(path, entry.name), depth: depth + 1 })
      else batch.push(join(path, entry.name))
      if (batch.length === 64) await add(batch.splice(0))
      if (usage.bytes > most.bytes) return usage
    }
    await add(batch)
  }
  return usage

  async function add(paths: readonly string[]) {
    const found = await Promise.all(paths.map((path) => lstat(path).catch(() => undefined)))
    // Blocks and not length: a sparse file takes no room.
    for (const stats of found) usage.bytes += (stats?.blocks ?? 0) * 512
  }
}

/** Bytes of the largest file right in a folder, its holes included: so many would be sent. */
export async function largest(folder: string): Promise<number> {
  let most = 0
  for await (const { name } of await opened(folder)) {
    const stats = await lstat(join(folder, name)).catch(() => undefined)
    if (stats?.isFile()) most = Math.max(most, stats.size)
  }
  return most
}

async function opened(path: string) {
  try {
    return await opendir(path)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw new UnmeasurableError(code === 'ENAMETOOLONG' ? 'folders nested too deeply' : 'a closed folder')
  }
}
