import { statSync } from 'node:fs'
import { userInfo } from 'node:os'

/** Who gives a command: the login name, of the person behind sudo where there is one. */
export const actor: string = process.env.SUDO_USER || userInfo().username

/**
 * When root administers the service of another user, the rest of this process is that user's: what a command makes, the
 * service can read, replace and remove.
 */
export function becomeOwner(folder: string): void {
  if (process.getuid?.() !== 0) return
  const owner = statSync(folder, { throwIfNoEntry: false })
  if (!owner?.uid) return
  process.setgroups!([])
  process.setgid!(owner.gid)
  process.setuid!(owner.uid)
}
