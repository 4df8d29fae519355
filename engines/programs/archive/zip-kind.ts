import type { Packed } from './plain-zip.ts'

/** Makers, and the types of files of Unix. */
const [DOS, UNIX] = [0, 3]
const [TYPE, FOLDER, FILE] = [0o170000, 0o040000, 0o100000]

/**
 * Whether an entry of the directory is a folder, and its permissions, as bsdtar understands them. Undefined: it is neither
 * file nor folder, or unusual.
 */
export function kindOf(bytes: Buffer, name: Buffer): Pick<Packed, 'folder' | 'mode'> | undefined {
  // Without backslashes, which some take for separators.
  if (!/^[\x20-\x5b\x5d-\x7e]{1,1024}$/.test(name.toString('latin1'))) return undefined
  const folder = name.at(-1) === 0x2f
  const attributes = bytes.readUInt32LE(38)
  if (bytes[5] === DOS) {
    const [marked, locked] = [(attributes & 0x10) > 0, (attributes & 1) > 0]
    const usual = marked ? 0o775 : 0o664
    const mode = locked ? usual & 0o555 : usual
    return marked && !folder ? undefined : { folder, mode: folder && (locked || !marked) ? mode | 0o111 : mode }
  }
  const mode = attributes >>> 16
  if (bytes[5] !== UNIX || ![0, folder ? FOLDER : FILE].includes(mode & TYPE)) return undefined
  const permissions = mode === 0 ? 0o664 : mode & 0o7777
  return { folder, mode: folder && (mode & TYPE) === 0 ? permissions | 0o111 : permissions }
}

/** The time of a local header, which has the form of DOS and is taken as UTC. */
export function timeOf(local: Buffer): number | undefined {
  const [time, date] = [local.readUInt16LE(10), local.readUInt16LE(12)]
  const [hour, minute, second] = [time >> 11, (time >> 5) & 63, (time & 31) * 2]
  const [year, month, day] = [1980 + (date >> 9), (date >> 5) & 15, date & 31]
  if (hour > 23 || minute > 59 || second > 59 || month < 1 || month > 12 || day < 1) return undefined
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000
}
