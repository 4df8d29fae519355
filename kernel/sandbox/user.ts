import { readFileSync } from 'node:fs'
import { StartError } from '../errors.ts'

/** A host user, by number. */
export interface EngineUser {
  uid: number
  gid: number
}

/**
 * The host user for engines when the service is root: `athanor` if the machine has it, else `nobody`; undefined when
 * the service is no root, since engines then run as the service's own user. Throws StartError when there is neither.
 */
export function unprivilegedUser(uid = process.getuid?.(), passwd = '/etc/passwd'): EngineUser | undefined {
  if (uid !== 0) return undefined
  const users = new Map<string, EngineUser>()
  for (const line of readFileSync(passwd, 'utf8').split('\n')) {
    const [name, , uid, gid] = line.split(':') // passwd(5)
    if (name && Number(uid) > 0 && Number(gid) > 0) users.set(name, { uid: Number(uid), gid: Number(gid) })
  }
  const found = users.get('athanor') ?? users.get('nobody')
  if (!found) throw new StartError('the service runs as root, and there is no user athanor or nobody for the engines')
  return found
}
