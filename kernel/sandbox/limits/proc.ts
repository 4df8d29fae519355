import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Reads of /proc and /sys, which find nothing if the process has ended or the service may not read them. */

/** Returns the text of a file; '' if it cannot be read. As UTF-8, which Node reads in one call. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Returns the names in a folder; none if it cannot be read. */
export function listNames(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

/** Returns the PIDs of all processes of the machine; none without /proc. */
export const listPids = (): number[] =>
  listNames('/proc')
    .map(Number)
    .filter((pid) => pid > 0)

/** Returns the target of a symbolic link; '' if it cannot be read. */
export function readLink(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

/** Returns the number after `name` at the start of a line, such as `VmPTE:  12 kB`; undefined if there is none. */
export function numberAfter(text: string, name: string): number | undefined {
  const found = new RegExp(`^${name}:?\\s+(\\d+)`, 'm').exec(text)?.[1]
  return found === undefined ? undefined : Number(found)
}

/**
 * Returns the fields of /proc/PID/stat (proc_pid_stat(5)) from the third on, and the program's name; undefined if the
 * process has ended.
 */
export function readStat(pid: number): { name: string; fields: string[] } | undefined {
  const stat = readText(`/proc/${pid}/stat`)
  // The name in brackets may contain anything.
  const end = stat.lastIndexOf(')')
  return end < 0 ? undefined : { name: stat.slice(stat.indexOf('(') + 1, end), fields: stat.slice(end + 2).split(' ') }
}
