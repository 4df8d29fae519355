import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { stringify } from 'yaml'
import { startStub } from '../boot/program.ts'
import { folderOf } from '../harness/folder.ts'
import { until } from '../harness/until.ts'

/** Two folders of a test: one that a service watches, and one for its results. */
export async function watchedFolders(t: Test) {
  const folder = await folderOf(t)
  const from = join(folder, 'scans')
  const into = join(folder, 'documents')
  await mkdir(from)
  return {
    folder,
    from,
    into,
    /** Starts a service that watches the folder. @param settings Keys of its entry. */
    start: (settings: object = {}, dataDir = 'data') =>
      startStub(t, join(folder, dataDir), { yaml: stringify({ watch: [{ from, to: 'bust', into, ...settings }] }) }),
  }
}

/** Writes stubs, each with its name in it. */
export async function writeStubs(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) await writeFile(join(folder, name), `STUB\n${name}`)
}

/** Lists a folder without what is hidden; empty if it is missing. */
export async function list(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => !name.startsWith('.')).sort()
}

/** Waits until a folder has so many files. */
export const untilFiles = (folder: string, count: number, time?: number) =>
  until(async () => (await list(folder)).length >= count, time)
