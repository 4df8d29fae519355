/** What an entry's extra fields tell. */
export interface Extras {
  /** Seconds since 1970. */
  mtime?: number
  uid?: number
  gid?: number
}

/** Fields that tell nothing of a tar's: times of NTFS, which bsdtar ignores, and the mark of a Java archive. */
const IGNORED = [0x000a, 0xcafe]
/** Times from 1970 to 2038. Programs differ about others. */
const LATEST = 0x7fffffff

/**
 * Reads the extra fields of a local header or of one in the directory (Info-ZIP, `extrafld.txt`). Undefined if a field is
 * not known, or not of the usual form.
 */
export function extrasOf(bytes: Buffer): Extras | undefined {
  const found: Extras = {}
  let at = 0
  while (at + 4 <= bytes.length) {
    const id = bytes.readUInt16LE(at)
    const end = at + 4 + bytes.readUInt16LE(at + 2)
    if (end > bytes.length) return undefined
    const told = IGNORED.includes(id) ? {} : READERS[id]?.(bytes.subarray(at + 4, end))
    if (!told || (told.mtime ?? 0) > LATEST) return undefined
    Object.assign(found, told)
    at = end
  }
  return at === bytes.length ? found : undefined
}

const READERS: Readonly<Record<number, (field: Buffer) => Extras | undefined>> = {
  /** Times. A directory has only the first. */
  21589: (field) => {
    if (field.length === 0 || (field[0]! & 1) === 0) return field.length > 0 ? {} : undefined
    return field.length >= 5 ? { mtime: field.readUInt32LE(1) } : undefined
  },
  /** Times, and in a local header the owner. macOS writes it. */
  22613: (field) => {
    if (field.length !== 8 && field.length !== 12) return undefined
    const owner = field.length === 12 ? { uid: field.readUInt16LE(8), gid: field.readUInt16LE(10) } : {}
    return { mtime: field.readUInt32LE(4), ...owner }
  },
  /** Owner, by numbers of 2 or 4 bytes. */
  30837: (field) => {
    if (field.length === 11 && field[0] === 1 && field[1] === 4 && field[6] === 4)
      return { uid: field.readUInt32LE(2), gid: field.readUInt32LE(7) }
    if (field.length === 7 && field[0] === 1 && field[1] === 2 && field[4] === 2)
      return { uid: field.readUInt16LE(2), gid: field.readUInt16LE(5) }
    return undefined
  },
}
