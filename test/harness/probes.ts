/**
 * What engines answered in earlier tests. A service probes about 96 engines at the first start on a data folder, and
 * keeps the answers in `probes.json` there until a program or a package changes. Tests start on many new data folders,
 * so they share the answers. `test/sandbox/probe.test.ts` proves the probing itself.
 */
import { copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../node_modules/.cache/athanor-test')
const kept = join(folder, 'probes.json')

/** Gives a new data folder the answers, if there are any. */
export async function giveProbes(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o711 })
  await copyFile(kept, join(dataDir, 'probes.json')).catch(ignoreMissing)
}

/** Adds the answers of a data folder. */
export async function keepProbes(dataDir: string): Promise<void> {
  const read = async (path: string) => JSON.parse(await readFile(path, 'utf8').catch(() => '{}'))
  const [known, found] = await Promise.all([read(kept), read(join(dataDir, 'probes.json'))])
  if (Object.keys(found).every((key) => key in known)) return
  await mkdir(folder, { recursive: true })
  const draft = `${kept}.${process.pid}`
  await writeFile(draft, JSON.stringify({ ...known, ...found }), { mode: 0o600 })
  await rename(draft, kept)
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
