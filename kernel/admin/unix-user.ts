import { statSync } from 'node:fs'
import { userInfo } from 'node:os'

/** Login name of the operator; behind sudo, of the person who called it. */
export const actor: string = process.env.SUDO_USER || userInfo().username

/**
 * If root administers the service of another user, the process switches to that user. So the service can read, replace
 * and remove files that the command creates.
 */
export function becomeOwner(folder: string): void {
  if (process.getuid?.() !== 0) return
  const owner = statSync(folder, { throwIfNoEntry: false })
  if (!owner?.uid) return
  process.setgroups?.([])
  process.setgid?.(owner.gid)
  process.setuid?.(owner.uid)
}
