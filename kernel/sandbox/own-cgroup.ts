import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

/** The group below the own one that the service moves to: a group has processes or divides its memory, not both. */
export const LEAF = 'service'

/** The service's own group, and why it cannot be divided. */
export type Own = { folder: string; group: string } | { missing: string }

/**
 * Finds the folder of the own group.
 *
 * @param cgroup the text of /proc/self/cgroup (cgroups(7))
 * @param mountinfo the text of /proc/self/mountinfo (proc_pid_mountinfo(5))
 */
export function ownGroup(cgroup: string, mountinfo: string): Own {
  const group = /^0::(\/.*)$/m.exec(cgroup)?.[1]
  const [root, place] = mountOf(mountinfo)
  if (!group || !root || !place) return { missing: 'this machine has no cgroup version 2' }
  const path = relative(root, group)
  if (path.startsWith('..') || group.includes('/..')) return { missing: 'its cgroup is outside of what it sees' }
  return { folder: join(place, path), group }
}

/** The group that is mounted, and where. */
function mountOf(mountinfo: string): string[] {
  const fields = mountinfo.split('\n').find((line) => line.includes(' - cgroup2 ')) ?? ''
  const decode = (field: string) =>
    field.replace(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(Number(`0o${code}`)))
  return fields.split(' ').slice(3, 5).map(decode)
}

/** Whether this machine could give groups to a service. Whether it does shows at the service's start. */
export function hasMemoryController(): boolean {
  const [, place] = mountOf(read('/proc/self', 'mountinfo'))
  return place !== undefined && controllersOf(place).includes('memory')
}

/** The controllers that a group may hand on. */
export const controllersOf = (folder: string) => read(folder, 'cgroup.controllers').trim().split(/\s+/)

/**
 * Why the group is not the service's to divide; undefined when it is. It is in two cases:
 *
 * - A systemd unit with `User=` and `Delegate=yes`, which gives that user the group (systemd.resource-control(5)).
 *   The processes in it are the unit's own when its first one is among them: SYSTEMD_EXEC_PID (systemd.exec(5)).
 * - The root of a private cgroup namespace (cgroup_namespaces(7)): a container of the service's own.
 */
export function whyNotOurs(folder: string, group: string, env: NodeJS.ProcessEnv): string | undefined {
  if (!controllersOf(folder).includes('memory')) return 'its cgroup has no memory controller'
  const main = env.SYSTEMD_EXEC_PID
  if (main) {
    const processes = ['.', LEAF].map((name) => read(join(folder, name), 'cgroup.procs'))
    const isUnits = processes.join('\n').split('\n').includes(main)
    const uid = process.getuid?.()
    const isOurs = ['', 'cgroup.procs', 'cgroup.subtree_control'].every((n) => statSync(join(folder, n)).uid === uid)
    return isUnits && isOurs && uid !== 0 ? undefined : 'its systemd unit has not both User= and Delegate=yes'
  }
  // Only groups below the machine's own root have this file.
  return group === '/' && existsSync(join(folder, 'cgroup.type')) ? undefined : 'its cgroup is not its own to divide'
}

/** One file of a group; empty where it is not there. */
export function read(folder: string, name: string): string {
  try {
    return readFileSync(join(folder, name), 'utf8')
  } catch {
    return ''
  }
}
