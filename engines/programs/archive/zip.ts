import type { ReadAt } from './looks.ts'

/** Where the central directory of a zip is, and how many bytes it has. */
export interface ZipDirectory {
  from: number
  length: number
}

/** What the central directory says of an entry (APPNOTE 4.3.12). */
export interface ZipHeader {
  encrypted: boolean
  crc: number
  /** Bytes of the header itself. */
  length: number
}

/**
 * First bytes of a zip, as latin1. Other archives can end with one as their last file, and a TAR begins with a name, such as
 * PKGBUILD.
 */
export const ZIP = /^PK(\x03\x04|\x05\x06|\x07\x08PK\x03\x04|00PK\x03\x04)/
const END = Buffer.from('PK\x05\x06', 'latin1')
/** Comes before the end if the archive is larger, or has more entries, than its fields can hold. */
const LOCATOR = Buffer.from('PK\x06\x07', 'latin1')
const ENTRY = 0x02014b50
/** Bytes of the directory that are read at once. */
const PIECE = 1024 ** 2
const LONGEST = 256 * 1024 ** 2

/** Whether any entry of a zip is encrypted: by the central directory, or, without one, by the first local header. */
export async function zipEncrypted(readAt: ReadAt, size: number): Promise<boolean> {
  const first = await readAt(0, 30)
  if (first.length >= 8 && first.readUInt32LE(0) === 0x04034b50 && (first.readUInt16LE(6) & 1) === 1) return true
  const directory = await zipDirectory(readAt, size)
  if (!directory) return false
  for await (const { encrypted } of zipHeaders(readAt, directory)) if (encrypted) return true
  return false
}

/** Finds the central directory. Undefined if there is none, or none that can be read. */
export async function zipDirectory(readAt: ReadAt, size: number): Promise<ZipDirectory | undefined> {
  const start = Math.max(0, size - 65_557)
  const tail = await readAt(start, 65_557)
  const at = tail.lastIndexOf(END)
  if (at < 0 || at + 22 > tail.length) return undefined
  let length = tail.readUInt32LE(at + 12)
  let end = start + at
  const locator = await readAt(Math.max(0, end - 20), 20)
  if (locator.indexOf(LOCATOR) === 0 && locator.length === 20) {
    end = Number(locator.readBigUInt64LE(8))
    if (end + 56 > size) return undefined
    length = Number((await readAt(end, 56)).readBigUInt64LE(40))
  }
  // The directory ends where its end record begins, even if other data come before the archive.
  return length > end ? undefined : { from: end - length, length }
}

/** Reads the headers of a directory, up to the first that is none. */
export async function* zipHeaders(readAt: ReadAt, { from, length }: ZipDirectory): AsyncGenerator<ZipHeader> {
  const end = from + Math.min(length, LONGEST)
  for (let position = from; position < end; ) {
    const bytes = await readAt(position, PIECE)
    let p = 0
    while (position + p < end && p + 46 <= bytes.length && bytes.readUInt32LE(p) === ENTRY) {
      const [flags, crc] = [bytes.readUInt16LE(p + 8), bytes.readUInt32LE(p + 16)]
      const own = 46 + bytes.readUInt16LE(p + 28) + bytes.readUInt16LE(p + 30) + bytes.readUInt16LE(p + 32)
      yield { encrypted: (flags & 1) === 1, crc, length: own }
      p += own
    }
    if (p === 0) return
    position += p
  }
}
