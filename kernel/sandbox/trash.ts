import { randomUUID } from 'node:crypto'
import { chmod, mkdir, readdir, rename, rmdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { emptied, JOB, MOUNTED, makeFolder } from './folder.ts'
import type { Launcher } from './process/launch.ts'
import { endWithin } from './process/process.ts'
import type { EngineUser } from './walls/user.ts'

/** Removes job folders in the background. */
export type Trash = Awaited<ReturnType<typeof createTrash>>

/** Milliseconds after which what could not be removed is tried again: at first, and at most. */
const RETRY_MS = { first: 2000, max: 3_600_000 }
/** Timeout of one removal in milliseconds. The next start of the service tries again. */
const REMOVAL_TIMEOUT_MS = 10 * 60_000

/**
 * Moves folders to `work/trash` and removes them there, one after another. A few calls remove the folder of a usual
 * job; a program in a sandbox removes a larger tree.
 */
export async function createTrash(work: string, launcher: Launcher, user: EngineUser | undefined) {
  const bin = join(work, 'trash')
  await mkdir(bin, { recursive: true })
  // The engines' user must enter it to remove its contents, but must not list it.
  await chmod(bin, 0o711)
  /** Resolves when all removals so far have ended. */
  let removals = Promise.resolve()
  /**
   * Timers of folders that could not be removed: on a busy machine, a program that was killed may still write there for
   * seconds.
   */
  const retries = new Map<string, NodeJS.Timeout>()

  return {
    discard,
    /** Discards everything that earlier runs of the service left in `work`, except `keep`. */
    async sweep(keep: readonly string[]) {
      // What is being removed would be listed, and be gone when it is moved.
      await removals
      for (const name of await readdir(bin)) await discard(join(bin, name))
      const left = (await readdir(work)).filter((name) => name !== 'trash' && !keep.includes(name))
      for (const name of left) await discard(join(work, name))
    },
    /** Resolves when everything is removed, or was tried once more. */
    async idle() {
      await removals
      for (const folder of [...retries.keys()]) remove(folder)
      await removals
      for (const timer of retries.values()) clearTimeout(timer)
    },
  }

  /** Moves a job's folder away at once, by a rename within the file system. Its programs must have ended. */
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

  function remove(folder: string, wait = RETRY_MS.first) {
    clearTimeout(retries.get(folder))
    retries.delete(folder)
    removals = removals.then(async () => {
      if ((await removedQuickly(folder)) || (await removedInSandbox(folder, launcher))) return
      const next = Math.min(2 * wait, RETRY_MS.max)
      retries.set(folder, setTimeout(remove, wait, folder, next).unref())
    })
  }
}

async function removedInSandbox(folder: string, launcher: Launcher): Promise<boolean> {
  // The next start sweeps what this leaves behind.
  try {
    // A service that is killed leaves folders that are half made or half removed.
    await Promise.all(MOUNTED.map((name) => mkdir(join(folder, name), { recursive: true })))
    await emptyFolder(folder, launcher)
  } catch {}
  return removedQuickly(folder)
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

/**
 * Removes the contents of the folders named as arguments. If that fails, restores permissions that a program removed
 * from its own files, and retries. rm(1) can reach nothing beyond what the sandbox shows.
 */
const REMOVE = `
remove() { find "$@" -mindepth 1 -maxdepth 1 -exec rm -rf --one-file-system -- {} +; }
remove "$@" || { chmod -R u+rwx -- "$@"; remove "$@"; }
`

/**
 * Empties `out` and `scratch` of a job's folder with a program in the same sandbox. The job's programs must have ended.
 * The program has the rights of the engines' user and sees only these folders, so no link or race leads it elsewhere.
 * The service itself could fail or block on a very deep or large tree. Resolves when the program has ended, even if it
 * could not remove everything.
 */
export async function emptyFolder(folder: string, launcher: Launcher): Promise<void> {
  const scratch = join(folder, 'scratch')
  // Only the service can replace these two, so neither can be a link.
  for (const part of [join(folder, 'out'), scratch]) await chmod(part, 0o700)
  // Anything that was taken out of the sandbox and is not a file goes back into it, to be removed there.
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (MOUNTED.includes(entry.name) || entry.isFile()) continue
    await rename(join(folder, entry.name), join(scratch, randomUUID()))
  }
  const paths = launcher.paths(folder)
  const args = ['-c', REMOVE, 'remove', paths.out, paths.scratch]
  await endWithin(launcher.start({ program: '/usr/bin/sh', args, folder }), REMOVAL_TIMEOUT_MS)
}
