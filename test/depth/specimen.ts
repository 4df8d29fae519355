import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hashOf, made } from '../fixtures/cache.ts'
import { corpus } from '../fixtures/corpus.ts'
import type { Family, Specimen, Subject } from './family.ts'
import { refusals } from './refusals.ts'

const version = hashOf([join(import.meta.dirname, 'specimens')])

/** Returns a specimen on disk, made at the first call. Rejects if a program that makes it is missing. */
export async function subjectOf({ name }: Family, specimen: Specimen): Promise<Subject> {
  const { from: format, make } = specimen
  if (specimen.path) return { path: specimen.path, format, paged: false, converted: false, specimen }
  const file = `depth/${name}-${version}/${specimen.name}`
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
