import { Refusal } from '../refusal/refusal.ts'

/** Bytes of a name (PATH_MAX). */
const MAX_NAME = 4096

const outside = (what: string) => new Refusal(`${what} points outside the archive`)

/** Path separators. Some unpackers also accept a backslash. */
const PARTS = /[/\\]/

/**
 * A name that is safe to unpack anywhere: relative, without empty and `.` parts. Empty for the root folder. Refuses
 * names with `..`.
 */
export function safeName(name: string, backslashes = false): string {
  if (Buffer.byteLength(name) > MAX_NAME || name.includes('\0'))
    throw new Refusal('An entry of the archive has a name that no system can hold')
  const local = (backslashes ? name.replaceAll('\\', '/') : name).replace(/^[a-z]:(?=[/\\])/i, '')
  if (local.split(PARTS).includes('..')) throw outside('An entry of the archive')
  return local
    .replace(/^[/\\]+/, '')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')
}

/**
 * Refuses a symbolic link whose target is outside the archive. `..` is allowed only at the start: after a name, it
 * could lead outside through another link.
 *
 * @param name the name of the link, made safe
 */
export function checkTarget(name: string, target: string): void {
  if (
    target === '' ||
    target.includes('\0') ||
    Buffer.byteLength(target) > MAX_NAME ||
    /^([/\\]|[a-z]:[/\\])/i.test(target)
  )
    throw outside('A link in the archive')
  const parts = target.split(PARTS).filter((part) => part !== '' && part !== '.')
  const upward = parts.findIndex((part) => part !== '..')
  const climbs = upward < 0 ? parts.length : upward
  if (climbs > name.split('/').length - 1 || parts.slice(climbs).includes('..')) throw outside('A link in the archive')
}

/** Refuses an entry that would be unpacked through a link. */
export function checkFolders(name: string, links: ReadonlySet<string>): void {
  if (links.size === 0) return
  for (let at = name.indexOf('/'); at >= 0; at = name.indexOf('/', at + 1))
    if (links.has(name.slice(0, at))) throw outside('An entry of the archive')
}
