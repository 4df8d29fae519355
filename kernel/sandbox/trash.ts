import { chmod, mkdir, readdir, rename, rmdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { emptied, JOB, MOUNTED, makeFolder } from './folder.ts'
import type { Launcher } from './launch.ts'
import { emptyFolder } from './remove.ts'
import type { EngineUser } from './user.ts'

/** Removes job folders in the background. */
export interface Trash {
  /** Moves a job's folder away at once, by a rename within the file system. Its programs must have ended. */
  discard(folder: string): Promise<void>
  /** Discards everything that earlier runs of the service left in `work`, except `keep`. */
  sweep(keep: readonly string[]): Promise<void>
  /** Resolves when everything is removed, or was tried once more. */
  idle(): Promise<void>
}

const BATCH = 64
/** Milliseconds after which what could not be removed is tried again: at first, and at most. */
const AGAIN = { first: 2000, most: 3_600_000 }

/**
 * Moves folders to `work/trash` and removes them there, one batch at a time. A few calls remove the folder of a usual
 * job; a program in a sandbox removes a larger tree.
 */
export async function createTrash(work: string, launcher: Launcher, user: EngineUser | undefined): Promise<Trash> {
  const bin = join(work, 'trash')
  await mkdir(bin, { recursive: true })
  // The engines' user must enter it to remove its contents, but must not list it.
  await chmod(bin, 0o711)
  const waiting: string[] = []
  /**
   * Folders that could not be removed: on a busy machine, a program that was killed may still write there for seconds.
   */
  const stubborn: string[] = []
  let working: Promise<void> | undefined
  let pause = AGAIN.first
  let later: NodeJS.Timeout | undefined

  return {
    discard,
    async sweep(keep) {
      // What is being removed would be listed, and be gone when it is moved.
      while (working) await working
      for (const name of await readdir(bin)) await discard(join(bin, name))
      const left = (await readdir(work)).filter((name) => name !== 'trash' && !keep.includes(name))
      for (const name of left) await discard(join(work, name))
    },
    async idle() {
      while (working) await working
      again()
      while (working) await working
      clearTimeout(later)
    },
  }

  function again() {
    clearTimeout(later)
    later = undefined
    for (const folder of stubborn.splice(0)) remove(folder)
  }

  async function discard(path: string) {
    const name = basename(path)
    if (name.startsWith(JOB)) {
      await rename(path, join(bin, name))
      return remove(join(bin, name))
    }
    // This is not a job folder, so move it into a new one.
    const folder = await makeFolder(bin, user)
    await rename(path, join(folder, 'scratch', name))
    remove(folder)
  }

  function remove(path: string) {
    waiting.push(path)
    working ??= empty()
  }

  async function empty() {
    while (waiting.length) {
      const batch = waiting.splice(0, BATCH)
      const removed = await Promise.all(batch.map(removedQuickly))
      for (const folder of batch.filter((_, index) => !removed[index])) {
        // The next start sweeps what this leaves behind.
        await madeWhole(folder)
          .then(() => emptyFolder(folder, launcher))
          .catch(() => {})
        if (!(await removedQuickly(folder))) stubborn.push(folder)
      }
    }
    // In the same step as the last look at `waiting`, so that nothing is added in between.
    working = undefined
    if (!stubborn.length) pause = AGAIN.first
    else if (!later) {
      later = setTimeout(again, pause).unref()
      pause = Math.min(2 * pause, AGAIN.most)
    }
  }
}

/** Makes parts that are missing: a service that is killed leaves folders that are half made or half removed. */
async function madeWhole(folder: string): Promise<void> {
  for (const name of MOUNTED) await mkdir(join(folder, name), { recursive: true })
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
