import type { Source } from '../../../kernel/contract.ts'
import { inflateHead } from './inflate.ts'

/** One file in a zip. Names are in lower case with forward slashes, because members are looked up, never extracted. */
export interface Entry {
  name: string
  method: number
  encrypted: boolean
  /** Compressed size in bytes, from the directory. */
  size: number
  /** Offset of the local header. */
  offset: number
}

const MAX_ENTRIES = 20_000
const MAX_DIRECTORY = 4 * 1024 * 1024
const END = Buffer.from('PK\x05\x06', 'latin1')
const LOCAL = Buffer.from('PK\x03\x04', 'latin1')

/** Lists a zip by its central directory. If that is missing or wrong, by the local headers in the head (APPNOTE 4.3). */
export async function listZip(file: Source): Promise<Entry[]> {
  const directory = await centralDirectory(file).catch(() => [])
  return directory.length ? directory : localHeaders(file.head)
}

/** The first bytes of a member, decompressed. Empty if it is encrypted, or neither stored nor deflated. */
export async function readEntry(file: Source, entry: Entry, limit = 65_536): Promise<Buffer> {
  if (entry.encrypted || (entry.method !== 0 && entry.method !== 8)) return Buffer.alloc(0)
  const header = await file.read(entry.offset, 30)
  if (!header.subarray(0, 4).equals(LOCAL)) return Buffer.alloc(0)
  const start = entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
  // The local header of a streamed entry has no size.
  const data = await file.read(start, Math.min(entry.size || limit, limit))
  return entry.method === 8 ? inflateHead('deflate', data, limit) : data
}

async function centralDirectory(file: Source): Promise<Entry[]> {
  const tailStart = Math.max(0, file.size - 65_557)
  const tail = await file.read(tailStart, 65_557)
  const at = tail.lastIndexOf(END)
  if (at < 0) return []
  let length = tail.readUInt32LE(at + 12)
  let offset = tail.readUInt32LE(at + 16)
  let end = tailStart + at
  if (length === 0xffffffff || offset === 0xffffffff) {
    const locator = await file.read(end - 20, 20)
    const position = Number(locator.readBigUInt64LE(8))
    const record = await file.read(position, 56)
    if (record.toString('latin1', 0, 4) !== 'PK\x06\x06') return []
    length = Number(record.readBigUInt64LE(40))
    offset = Number(record.readBigUInt64LE(48))
    end = position
  }
  // Data before the archive shift all offsets equally.
  const shift = Math.max(0, end - length - offset)
  const bytes = await file.read(offset + shift, Math.min(length, MAX_DIRECTORY))
  const entries: Entry[] = []
  for (let p = 0; p + 46 <= bytes.length && entries.length < MAX_ENTRIES; ) {
    if (bytes.readUInt32LE(p) !== 0x02014b50) break
    const nameLength = bytes.readUInt16LE(p + 28)
    entries.push({
      name: normal(bytes.toString('latin1', p + 46, p + 46 + nameLength)),
      method: bytes.readUInt16LE(p + 10),
      encrypted: (bytes.readUInt16LE(p + 8) & 1) === 1,
      size: bytes.readUInt32LE(p + 20),
      offset: bytes.readUInt32LE(p + 42) + shift,
    })
    p += 46 + nameLength + bytes.readUInt16LE(p + 30) + bytes.readUInt16LE(p + 32)
  }
  return entries
}

function localHeaders(head: Buffer): Entry[] {
  const entries: Entry[] = []
  for (let p = head.indexOf(LOCAL); p >= 0 && p + 30 <= head.length; p = head.indexOf(LOCAL, p + 30)) {
    const nameLength = head.readUInt16LE(p + 26)
    entries.push({
      name: normal(head.toString('latin1', p + 30, p + 30 + nameLength)),
      method: head.readUInt16LE(p + 8),
      encrypted: (head.readUInt16LE(p + 6) & 1) === 1,
      size: head.readUInt32LE(p + 18),
      offset: p,
    })
  }
  return entries
}

const normal = (name: string) =>
  name
    .replaceAll('\\', '/')
    .replace(/^(\.?\/)+/, '')
    .toLowerCase()
