import type { ReadAt } from './looks.ts'

const END = Buffer.from('PK\x05\x06', 'latin1')
const ENTRY = 0x02014b50
/** Bytes of the directory that are read at once. */
const PIECE = 1024 ** 2
const LONGEST = 256 * 1024 ** 2

/**
 * Whether any entry of a zip is encrypted: bit 0 of its flags in the central directory, or, without a directory, in the
 * first local header (APPNOTE 4.4.4).
 */
export async function zipEncrypted(readAt: ReadAt, size: number): Promise<boolean> {
  const first = await readAt(0, 30)
  if (first.length >= 8 && first.readUInt32LE(0) === 0x04034b50 && (first.readUInt16LE(6) & 1) === 1) return true
  const start = Math.max(0, size - 65_557)
  const tail = await readAt(start, 65_557)
  const at = tail.lastIndexOf(END)
  if (at < 0 || at + 22 > tail.length) return false
  let length = tail.readUInt32LE(at + 12)
  let end = start + at
  if (length === 0xffffffff || tail.readUInt32LE(at + 16) === 0xffffffff) {
    const locator = await readAt(end - 20, 20)
    const record = locator.length === 20 ? await readAt(Number(locator.readBigUInt64LE(8)), 56) : locator
    if (record.length < 56) return false
    length = Number(record.readBigUInt64LE(40))
    end = Number(locator.readBigUInt64LE(8))
  }
  // The directory ends where its end record begins, even if other data come before the archive.
  return scan(readAt, end - length, Math.min(length, LONGEST))
}

async function scan(readAt: ReadAt, from: number, length: number): Promise<boolean> {
  for (let position = from; position >= 0 && position < from + length; ) {
    const bytes = await readAt(position, PIECE)
    let p = 0
    while (p + 46 <= bytes.length && bytes.readUInt32LE(p) === ENTRY) {
      if (bytes.readUInt16LE(p + 8) & 1) return true
      p += 46 + bytes.readUInt16LE(p + 28) + bytes.readUInt16LE(p + 30) + bytes.readUInt16LE(p + 32)
    }
    if (p === 0) return false
    position += p
  }
  return false
}
