/** The commit of the checkout, for `--version`, the log, the metrics and doctor. */
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes the commit into the checkout. Images and tarballs of releases have no Git, and keep what they bring. */
export function recordCommit(root) {
  if (!existsSync(join(root, '.git'))) return
  // Git refuses checkouts of other users by default.
  const args = ['-c', `safe.directory=${root}`, '-C', root, 'rev-parse', 'HEAD']
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' })
  if (status === 0) writeFileSync(join(root, 'commit.txt'), stdout)
}
