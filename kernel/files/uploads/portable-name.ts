import { displayName } from './display-name.ts'

/**
 * A name that every file system takes: as `displayName`, without path separators, quotes and leading dots. Names of
 * Windows devices (`NUL.png`) get a `_` in front.
 */
export const portableName = (name: string) =>
  besideDevices(
    displayName(name)
      .replace(/["\\/:*?<>|%]/g, '_')
      .replace(/^\.+/, ''),
  ) || 'file'

/** Microsoft, "Naming Files, Paths, and Namespaces": these names are devices, whatever the extension. */
const besideDevices = (name: string) =>
  name.replace(/^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?=\s*(?:\.|$))/i, '_$&')

/** Folders that a path may have; the rest is left out. */
const DEPTH = 20

/**
 * The folder of a relative path, with `/` at its end: `holiday/day 1/` for `holiday/day 1/beach.heic`. It never leads
 * out of the place where it is unpacked. Without a folder it is empty.
 */
export const folderOf = (path: string) =>
  path
    .split(/[/\\]/)
    .slice(0, -1)
    .filter((part) => !/^\s*\.{0,2}\s*$/.test(part))
    .slice(0, DEPTH)
    .map((part) => `${portableName(part).replace(/[. ]+$/, '_')}/`)
    .join('')
