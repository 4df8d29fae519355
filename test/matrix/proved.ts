import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const file = join(import.meta.dirname, 'proved.json')

/** Reads the pairs that earlier runs have proved, as `png>jpg`. */
export function readProved(): Set<string> {
  try {
    const lines = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
    return new Set(Object.entries(lines).flatMap(([from, targets]) => targets.split(' ').map((to) => `${from}>${to}`)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Set()
    throw error
  }
}

/** Writes them in order, one line per source, so that diffs are readable. */
export async function writeProved(pairs: Iterable<string>): Promise<void> {
  const bySource = Map.groupBy([...pairs].sort(), (pair) => pair.split('>')[0]!)
  const lines = [...bySource].map(
    ([from, targets]) =>
      `  ${JSON.stringify(from)}: ${JSON.stringify(targets.map((pair) => pair.split('>')[1]).join(' '))}`,
  )
  await writeFile(file, `{\n${lines.join(',\n')}\n}\n`)
}
