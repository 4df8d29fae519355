import { chmod, mkdir, readdir, rename, rmdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { emptied, JOB, MOUNTED, makeFolder } from './folder.ts'
import type { Launcher } from './launch.ts'
import { emptyFolder } from './remove.ts'
import type { EngineUser } from './user.ts'

/** Removes job folders in the background. */
export interface Trash {
  /** Takes a job's folder out of the way at once, by a rename within the file system. Its programs must have ended. */
  discard(folder: string): Promise<void>
  /** Discards everything in `work` but `keep`, which earlier lives left. */
  sweep(keep: readonly string[]): Promise<void>
  /** Resolves when all is removed. */
  idle(): Promise<void>
}

const BATCH = 64

/**
 * Folders go to `work/trash` and are removed from there, one batch at a time: those of a usual job by a few calls, a
 * tree by a program in a sandbox.
 */
export async function createTrash(work: string, launcher: Launcher, user: EngineUser | undefined): Promise<Trash> {
  const bin = join(work, 'trash')
  await mkdir(bin, { recursive: true })
  // The engines' user passes through, to remove what is inside; nobody can list it.
  await chmod(bin, 0o711)
  const waiting: string[] = []
  let working: Promise<void> | undefined

  return {
    discard,
    async sweep(keep) {
      for (const name of await readdir(bin)) await discard(join(bin, name))
      const left = (await readdir(work)).filter((name) => name !== 'trash' && !keep.includes(name))
      for (const name of left) await discard(join(work, name))
    },
    async idle() {
      while (working) await working
    },
  }

  async function discard(path: string) {
    const name = basename(path)
    if (name.startsWith(JOB)) {
      await rename(path, join(bin, name))
      return remove(join(bin, name))
    }
    // No job's folder: it becomes the content of one.
    const folder = await makeFolder(bin, user)
    await rename(path, join(folder, 'scratch', name))
    remove(folder)
  }

  function remove(path: string) {
    waiting.push(path)
    working ??= empty().finally(() => {
      working = undefined
    })
  }

  async function empty() {
    while (waiting.length) {
      const batch = waiting.splice(0, BATCH)
      const removed = await Promise.all(batch.map(removedQuickly))
      for (const folder of batch.filter((_, index) => !removed[index])) {
        // What stays even so is swept at the next start.
        await emptyFolder(folder, launcher).catch(() => {})
        await removedQuickly(folder)
      }
    }
  }
}

async function removedQuickly(folder: string): Promise<boolean> {
  try {
    if (!(await emptied(folder))) return false
    await Promise.all(MOUNTED.map((name) => rmdir(join(folder, name))))
    await rmdir(folder)
    return true
  } catch {
    return false
  }
}
