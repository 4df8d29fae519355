import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const cache = join(root, 'node_modules/.cache')
const kernel = ['catalogue', 'detection', 'jobs', 'sandbox'].map((room) => `kernel/${room}`)
const parts = ['plugins', 'engines', ...kernel, 'test/fixtures', 'test/matrix']

/** Changes with everything that can affect a result, except the programs themselves. */
function fingerprint(others: readonly string[]): string {
  const hash = createHash('sha256')
  for (const part of [...parts, ...others])
    for (const entry of readdirSync(join(root, part), { recursive: true, withFileTypes: true }))
      if (entry.isFile() && !entry.name.endsWith('.json')) {
        const path = join(entry.parentPath, entry.name)
        hash.update(path.slice(root.length)).update(readFileSync(path))
      }
  return hash.digest('hex').slice(0, 16)
}

interface Options {
  fresh: boolean
  /** Folder of the results. */
  name: string
  /** Further folders of the repository that can affect a result. */
  others: readonly string[]
}

/** The results of earlier runs of the same sources, and a function to add one. A stopped run continues from them. */
export function openState<Result extends { key: string }>({ fresh, name, others }: Options) {
  const folder = join(cache, `athanor-${name}`)
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${fingerprint(others)}.ndjson`)
  if (fresh) rmSync(file, { force: true })
  const outcomes = new Map<string, Result>()
  try {
    // A killed run can leave an incomplete line. Ignore it.
    for (const line of readFileSync(file, 'utf8').split('\n').slice(0, -1)) {
      const outcome = JSON.parse(line) as Result
      outcomes.set(outcome.key, outcome)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return {
    outcomes: outcomes as ReadonlyMap<string, Result>,
    add(outcome: Result): void {
      outcomes.set(outcome.key, outcome)
      appendFileSync(file, `${JSON.stringify(outcome)}\n`)
    },
  }
}
