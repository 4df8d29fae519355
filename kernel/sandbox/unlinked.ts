import { readdir, stat } from 'node:fs/promises'

/**
 * Bytes on one disk of files that processes have open and that have no name any more, so that no walk through folders
 * finds them; each file once. What a process keeps without a descriptor is not among them: see `OVERWRITTEN`.
 *
 * @param device `dev` of stat(2)
 */
export async function unlinkedBytes(pids: Iterable<number>, device: number): Promise<number> {
  const sizes = new Map<number, number>()
  for (const pid of pids) {
    const folder = `/proc/${pid}/fd`
    // Looks at what is open, without opening it again: proc_pid_fd(5).
    const found = await Promise.all(
      (await readdir(folder).catch(() => [])).map((name) => stat(`${folder}/${name}`).catch(() => undefined)),
    )
    for (const file of found) {
      if (file?.isFile() && file.nlink === 0 && file.dev === device) sizes.set(file.ino, file.blocks * 512)
    }
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0)
}

/**
 * How many times the allowed disk space a run may write in all. A file without a name can also be kept by a mapping or
 * in the queue of a socket, where nobody can count it; but it has to be written once.
 */
export const OVERWRITTEN = 4
