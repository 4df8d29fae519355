import { randomUUID } from 'node:crypto'
import { chmod, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Launcher } from './launch.ts'

/** Timeout of one removal in milliseconds. The next start of the service tries again. */
const MOST = 10 * 60_000

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
