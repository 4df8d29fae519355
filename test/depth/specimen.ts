import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { made } from '../fixtures/cache.ts'
import { corpus } from '../fixtures/corpus.ts'
import type { Family, Specimen, Subject } from './family.ts'
import { refusals } from './refusals.ts'

const recipes = join(import.meta.dirname, 'specimens')
const hashes = new Map<string, Promise<string>>()

/** Changes with the recipes of a family: the files whose names begin with the family's, and what all share. */
function version(family: string): Promise<string> {
  const known = hashes.get(family)
  if (known) return known
  const computed = (async () => {
    const hash = createHash('sha256')
    for (const name of (await readdir(recipes)).filter((name) => name.startsWith(family) || name === 'bases.ts').sort())
      hash.update(await readFile(join(recipes, name)))
    return hash.digest('hex').slice(0, 12)
  })()
  hashes.set(family, computed)
  return computed
}

/** Returns a specimen on disk, made at the first call. Rejects if a program that makes it is missing. */
export async function subjectOf({ name }: Family, specimen: Specimen): Promise<Subject> {
  const { from: format, make } = specimen
  if (specimen.path) return { path: specimen.path, format, paged: false, converted: false, specimen }
  const file = `depth/${name}-${await version(name)}/${specimen.name}`
  const path = await made(file, async (output, scratch) => {
    await mkdir(dirname(output), { recursive: true })
    await make(output, scratch)
  })
  return { path, format, paged: false, converted: false, specimen }
}

/**
 * Returns the real files of a family's formats in the corpus that have a label. `labelled.tsv` tells their true
 * formats; none without the corpus.
 */
export async function realOf(family: Family): Promise<Specimen[]> {
  const files = await corpus()
  const list = files.find((path) => path.endsWith('/labelled.tsv'))
  if (!list) return []
  const rows = (await readFile(list, 'utf8')).trim().split('\n').slice(1)
  return rows.flatMap((row) => {
    const [name = '', from = ''] = row.split('\t')
    const path = files.find((path) => path.endsWith(`/${name}`))
    if (!path || !family.formats.includes(from)) return []
    const found = { from, real: true as const, features: [], make: async () => {}, path, refused: refusals[name] }
    return [{ name: name.replaceAll('/', '-'), ...found }]
  })
}
