import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Verdict } from './verdict.ts'

/** The result of one case. */
export interface Outcome extends Verdict {
  key: string
  engine: string
  passed: boolean
  /** Milliseconds of the conversion itself. */
  milliseconds: number
  /** Why it did not pass. */
  reason?: string
}

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'node_modules/.cache/athanor-matrix')
const kernel = ['catalogue', 'conversions', 'detection', 'sandbox'].map((room) => `kernel/${room}`)
const parts = ['plugins', 'engines', ...kernel, 'test/fixtures', 'test/matrix']

/** Changes with everything that can affect a result, except the programs themselves. */
function fingerprint(): string {
  const hash = createHash('sha256')
  for (const part of parts)
    for (const entry of readdirSync(join(root, part), { recursive: true, withFileTypes: true }))
      if (entry.isFile() && !entry.name.endsWith('.json')) {
        const path = join(entry.parentPath, entry.name)
        hash.update(path.slice(root.length)).update(readFileSync(path))
      }
  return hash.digest('hex').slice(0, 16)
}

/** The results of earlier runs of the same sources, and a function to add one. A stopped run continues from them. */
export function openState({ fresh }: { fresh: boolean }) {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${fingerprint()}.ndjson`)
  if (fresh) rmSync(file, { force: true })
  const outcomes = new Map<string, Outcome>()
  try {
    // A killed run can leave an incomplete line. Ignore it.
    for (const line of readFileSync(file, 'utf8').split('\n').slice(0, -1)) {
      const outcome = JSON.parse(line) as Outcome
      outcomes.set(outcome.key, outcome)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return {
    outcomes: outcomes as ReadonlyMap<string, Outcome>,
    report: join(folder, 'report.json'),
    add(outcome: Outcome): void {
      outcomes.set(outcome.key, outcome)
      appendFileSync(file, `${JSON.stringify(outcome)}\n`)
    },
  }
}
