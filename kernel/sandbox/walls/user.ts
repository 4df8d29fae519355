import { readFileSync } from 'node:fs'
import { StartError } from '../../errors.ts'

/** Numeric IDs of a host user. */
export interface EngineUser {
  uid: number
  gid: number
}

/**
 * Returns the host user for engines if the service runs as root: `athanor` if the machine has it, else `nobody`.
 * Returns undefined if the service is not root: engines then run as its own user. Throws StartError if neither user
 * exists, or a user namespace has only root.
 *
 * @param maps Files with the IDs that the user namespace has (user_namespaces(7)).
 */
export function unprivilegedUser(
  uid = process.getuid?.(),
  passwd = '/etc/passwd',
  maps = { uid: '/proc/self/uid_map', gid: '/proc/self/gid_map' },
): EngineUser | undefined {
  if (uid !== 0) return undefined
  const users = new Map<string, EngineUser>()
  for (const line of readFileSync(passwd, 'utf8').split('\n')) {
    const [name, , uid, gid] = line.split(':') // passwd(5)
    if (name && Number(uid) > 0 && Number(gid) > 0) users.set(name, { uid: Number(uid), gid: Number(gid) })
  }
  const found = users.get('athanor') ?? users.get('nobody')
  if (!found) throw new StartError('the service runs as root, and there is no user athanor or nobody for the engines')
  if (isMapped(found.uid, maps.uid) && isMapped(found.gid, maps.gid)) return found
  throw new StartError(
    `The service runs as root of a user namespace without the engines' user (UID ${found.uid}, GID ${found.gid}). ` +
      'Give the namespace these IDs, or start the service as another user than root.',
  )
}

/** Whether a user namespace has an ID. True if there is no /proc. */
function isMapped(id: number, map: string): boolean {
  let text: string
  try {
    text = readFileSync(map, 'latin1')
  } catch {
    return true
  }
  return text.split('\n').some((line) => {
    const [first = Number.NaN, , count = 0] = line.trim().split(/\s+/).map(Number)
    return id >= first && id < first + count
  })
}

/**
 * Whether user IDs are those of the machine. In another user namespace, root has rights over that namespace only
 * (user_namespaces(7)). True if there is no /proc.
 */
export function hasMachineIds(): boolean {
  try {
    return /^\s*0\s+0\s+4294967295$/m.test(readFileSync('/proc/self/uid_map', 'latin1'))
  } catch {
    return true
  }
}
