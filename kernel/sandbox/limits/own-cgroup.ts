import { existsSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { hasMachineIds } from '../walls/user.ts'
import { readText } from './proc.ts'

/** Child cgroup that the service moves to: a cgroup cannot both hold processes and divide its memory. */
export const LEAF = 'service'

/** The service's own cgroup, or why the service cannot divide it. */
export type Own = { folder: string; group: string } | { missing: string }

/**
 * Finds the folder of the service's own cgroup.
 *
 * @param cgroup the text of /proc/self/cgroup (cgroups(7))
 * @param mountinfo the text of /proc/self/mountinfo (proc_pid_mountinfo(5))
 */
export function ownGroup(cgroup = readText('/proc/self/cgroup'), mountinfo = readText('/proc/self/mountinfo')): Own {
  const group = /^0::(\/.*)$/m.exec(cgroup)?.[1]
  const [root, place] = mountOf(mountinfo)
  if (!group || !root || !place) return { missing: 'this machine has no cgroup version 2' }
  const path = relative(root, group)
  if (path.startsWith('..') || group.includes('/..')) return { missing: 'its cgroup is outside its namespace' }
  return { folder: join(place, path), group }
}

/** Returns the root of the cgroup2 mount and its mount point; an empty list if there is none. */
function mountOf(mountinfo: string): string[] {
  const fields = mountinfo.split('\n').find((line) => line.includes(' - cgroup2 ')) ?? ''
  const decode = (field: string) =>
    field.replace(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(Number(`0o${code}`)))
  return fields.split(' ').slice(3, 5).map(decode)
}

/** Whether this machine could give cgroups to a service. Only the start of the service shows whether it does. */
export function hasMemoryController(): boolean {
  const [, place] = mountOf(readText('/proc/self/mountinfo'))
  return place !== undefined && controllersOf(place).includes('memory')
}

/** Controllers that a cgroup can enable for its children. */
export const controllersOf = (folder: string) => readText(join(folder, 'cgroup.controllers')).trim().split(/\s+/)

/**
 * Returns why the service may not divide the cgroup; undefined if it may. It may divide two kinds of cgroup:
 *
 * - That of a systemd unit with `User=` and `Delegate=yes`: systemd gives it to that user
 *   (systemd.resource-control(5)). It is the unit's if it contains the unit's first process, SYSTEMD_EXEC_PID
 *   (systemd.exec(5)).
 * - The root of a private cgroup namespace (cgroup_namespaces(7)): the service has a container to itself.
 */
export function whyNotOurs(folder: string, group: string, env: NodeJS.ProcessEnv): string | undefined {
  if (!controllersOf(folder).includes('memory')) return 'its cgroup has no memory controller'
  const main = env.SYSTEMD_EXEC_PID
  if (main) {
    const processes = ['.', LEAF].map((name) => readText(join(folder, name, 'cgroup.procs')))
    const isUnits = processes.join('\n').split('\n').includes(main)
    const uid = process.getuid?.()
    const isOurs = ['', 'cgroup.procs', 'cgroup.subtree_control'].every((n) => statSync(join(folder, n)).uid === uid)
    return isUnits && isOurs && !(uid === 0 && hasMachineIds())
      ? undefined
      : 'its systemd unit does not set both User= and Delegate=yes'
  }
  // The machine's root cgroup does not have this file.
  return group === '/' && existsSync(join(folder, 'cgroup.type')) ? undefined : 'it does not own its cgroup'
}
