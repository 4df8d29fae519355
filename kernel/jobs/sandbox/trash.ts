import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rmdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { execa } from 'execa'
import { emptied, MOUNTED } from './folder.ts'

/** Removes job folders in the background. */
export interface Trash {
  /** Takes a job's folder out of the way at once, by a rename within the file system. */
  discard(folder: string): Promise<void>
  /** The same for anything that a program made: a file, a link, a tree. */
  discardMade(path: string): Promise<void>
  /** Discards everything in `work` but `keep`, which earlier lives left. */
  sweep(keep: readonly string[]): Promise<void>
  /** Resolves when all is removed. */
  idle(): Promise<void>
}

const BATCH = 64
const MADE = 'made-'

/**
 * Folders go to `work/trash` and are removed from there, one batch at a time. Those of a usual job by a few calls; a
 * tree by rm(1) in a process of its own, since it can be so deep or so large that removing it in the service would
 * fail or block the event loop.
 */
export async function createTrash(work: string): Promise<Trash> {
  const bin = join(work, 'trash')
  await mkdir(bin, { recursive: true, mode: 0o700 })
  const waiting: string[] = []
  let working: Promise<void> | undefined

  return {
    discard,
    discardMade,
    async sweep(keep) {
      for (const name of await readdir(bin)) remove(join(bin, name))
      const left = (await readdir(work)).filter((name) => name !== 'trash' && !keep.includes(name))
      await Promise.all(left.map((name) => discard(join(work, name))))
    },
    async idle() {
      while (working) await working
    },
  }

  async function discard(folder: string) {
    const place = join(bin, basename(folder))
    await rename(folder, place)
    remove(place)
  }

  /** Its new name marks it as nothing to step into: it can be a link to anywhere. */
  async function discardMade(path: string) {
    const place = join(bin, `${MADE}${randomUUID()}`)
    await rename(path, place)
    remove(place)
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
      const trees = batch.filter((_, index) => !removed[index])
      if (trees.length) await removeTrees(trees)
    }
  }
}

async function removedQuickly(folder: string): Promise<boolean> {
  if (basename(folder).startsWith(MADE)) return false
  try {
    if (!(await emptied(folder))) return false
    await Promise.all(MOUNTED.map((name) => rmdir(join(folder, name))))
    await rmdir(folder)
    return true
  } catch {
    return false
  }
}

async function removeTrees(paths: readonly string[]) {
  const options = { reject: false, stdio: 'ignore', env: {}, extendEnv: false, cwd: '/' } as const
  const remove = () => execa('/bin/rm', ['-rf', '--one-file-system', '--', ...paths], options)
  if (!(await remove()).failed) return
  // A program may have taken its own rights to a folder away. What stays even so is swept at the next start.
  await execa('/bin/chmod', ['-R', 'u+rwx', '--', ...paths], options)
  await remove()
}
