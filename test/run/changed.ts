import { spawnSync } from 'node:child_process'
import { root } from './imports.ts'
import { UnknownName } from './selection.ts'

/**
 * Lists files that differ from a commit, committed or not, and new ones.
 *
 * @param base Default: where this branch left `main`; on `main`, what it last received from its remote, else its last
 * commit.
 * @throws UnknownName if there is no such commit.
 */
export function changedSince(base?: string): string[] {
  const candidates = base ? [base] : ['main', 'origin/main', 'HEAD']
  const head = git('rev-parse', 'HEAD')
  const from = candidates
    .map((name) => git('merge-base', name, 'HEAD'))
    .find((commit) => commit && (base || commit !== head))
  if (base && !from) throw new UnknownName(`There is no commit called "${base}".`)
  const changed = git('diff', '--name-only', from ?? 'HEAD') ?? ''
  const added = git('ls-files', '--others', '--exclude-standard') ?? ''
  return `${changed}\n${added}`.split('\n').filter(Boolean)
}

/** Returns what git prints; undefined if it fails. */
function git(...args: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', ['-C', process.env.CHECKOUT ?? root, ...args], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}
