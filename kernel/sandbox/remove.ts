import { randomUUID } from 'node:crypto'
import { chmod, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Launcher } from './launch.ts'

/** Milliseconds after which a removal is given up; the next start of the service tries again. */
const MOST = 10 * 60_000

/**
 * Removes what lies in the folders named as arguments. First as it is, then with the rights that a program took from
 * itself; what rm(1) meets cannot be more than the sandbox shows.
 */
const REMOVE = `
remove() { find "$@" -mindepth 1 -maxdepth 1 -exec rm -rf --one-file-system -- {} +; }
remove "$@" || { chmod -R u+rwx -- "$@"; remove "$@"; }
`

/**
 * Empties `out` and `scratch` of a job's folder, whose programs have ended, by a program in the same sandbox: it has
 * the rights of the engines' user and sees nothing but these folders, so that no link or race leads it elsewhere.
 * A tree can be so deep or so large that the service itself would fail or block. Resolves when that program has ended,
 * whether it could remove everything or not.
 */
export async function emptyFolder(folder: string, launcher: Launcher): Promise<void> {
  const scratch = join(folder, 'scratch')
  // These two are the service's to name, so that no link can be in their place.
  for (const part of [join(folder, 'out'), scratch]) await chmod(part, 0o700)
  // What was taken out of the sandbox and was no file goes back.
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (['in', 'out', 'scratch'].includes(entry.name) || entry.isFile()) continue
    await rename(join(folder, entry.name), join(scratch, randomUUID()))
  }
  const paths = launcher.paths(folder)
  const args = ['-c', REMOVE, 'remove', paths.out, paths.scratch]
  const running = launcher.start({ program: '/usr/bin/sh', args, folder })
  const timer = setTimeout(running.kill, MOST).unref()
  await running.ended
  clearTimeout(timer)
}
