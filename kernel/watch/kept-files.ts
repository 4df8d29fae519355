import { createHash } from 'node:crypto'
import { lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Remembers which files of a watched folder are converted and stay where they are. */
export type Kept = Awaited<ReturnType<typeof openKept>>

/** What tells whether a file has changed. */
export const stateOf = ({ size, mtimeMs }: { size: number; mtimeMs: number }) => `${size} ${mtimeMs}`

/**
 * Opens the notes in a folder, one file for each: a process that is killed loses none. Notes of files that are gone are
 * removed.
 *
 * @param names Files in the watched folder.
 */
export async function openKept(folder: string, names: readonly string[]) {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const noteOf = (name: string) => createHash('sha256').update(name).digest('hex')
  const states = new Map<string, string>()
  const present = new Map(names.map((name) => [noteOf(name), name]))
  for (const note of await readdir(folder)) {
    const name = present.get(note)
    if (name !== undefined) states.set(name, await readFile(join(folder, note), 'utf8'))
    else await rm(join(folder, note), { force: true })
  }
  return {
    /** Notes that the file at `path`, which will be called `name`, is converted. */
    async add(name: string, path: string) {
      const state = stateOf(await lstat(path))
      await writeFile(join(folder, noteOf(name)), state)
      states.set(name, state)
    },
    /** Whether the file of this name is converted, and has not changed since. */
    has: (name: string, state: string) => states.get(name) === state,
  }
}
