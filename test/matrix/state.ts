import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { hashOf } from '../fixtures/cache.ts'

const root = join(import.meta.dirname, '../..')
const cache = join(root, 'node_modules/.cache')
const kernel = ['catalogue', 'detection', 'jobs', 'sandbox'].map((room) => `kernel/${room}`)
const parts = ['plugins', 'engines', ...kernel, 'test/fixtures', 'test/matrix']

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
  // Changes with everything that can affect a result, except the programs themselves.
  const all = [...parts, ...others].map((part) => join(root, part))
  const file = join(folder, `${hashOf(all, (path) => !path.endsWith('.json'))}.ndjson`)
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
