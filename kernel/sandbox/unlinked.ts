import { readdir, stat } from 'node:fs/promises'

/**
 * Returns the bytes on one disk of files that processes have open but that no longer have a name, so that no folder
 * walk finds them. Counts each file once, but not files kept without a descriptor: see `OVERWRITTEN`.
 *
 * @param device `dev` of stat(2)
 */
export async function unlinkedBytes(pids: Iterable<number>, device: number): Promise<number> {
  const sizes = new Map<number, number>()
  for (const pid of pids) {
    const folder = `/proc/${pid}/fd`
    // stat() on these links examines the open files without opening them again: proc_pid_fd(5).
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
 * How many times its disk limit a run may write in total. A mapping or a socket queue can also keep a file without a
 * name, where the service cannot count it. But a program must write each such file once.
 */
export const OVERWRITTEN = 4
