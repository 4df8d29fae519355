import type { ReadAt } from './looks.ts'

/** What the headers of a RAR archive say. */
export interface RarKind {
  version: 4 | 5
  encrypted: boolean
  /** Whether it is one volume of several. */
  part: boolean
  /** Files that the archive stores as copies of earlier ones, by name: no program reads them. */
  copies: Map<string, string>
}

/** A block of a RAR before version 5. */
interface RarBlock {
  at: number
  type: number
  flags: number
  /** Bytes of its header. */
  size: number
  /** Bytes behind the header. */
  data: number
}

/** Type of the block of a file. */
export const FILE = 0x74
const MOST_HEADERS = 100_000

/** Reads the headers of a RAR archive, without its data. */
export async function rarKind(readAt: ReadAt): Promise<RarKind> {
  const mark = (await readAt(0, 8)).toString('latin1')
  return mark.startsWith('Rar!\x1a\x07\x01') ? five(readAt) : four(readAt)
}

/** Checks the archive's flag for encrypted headers and the files' flag for encrypted data (RAR 4 technote). */
async function four(readAt: ReadAt): Promise<RarKind> {
  const kind: RarKind = { version: 4, encrypted: false, part: false, copies: new Map() }
  for await (const { type, flags } of rarBlocks(readAt)) {
    if (type === 0x73) {
      kind.encrypted ||= (flags & 0x80) !== 0
      kind.part ||= (flags & 0x01) !== 0
    }
    if (type === FILE) kind.encrypted ||= (flags & 0x04) !== 0
    if (kind.encrypted) break
  }
  return kind
}

/** Finds the blocks of a RAR before version 5. */
export async function* rarBlocks(readAt: ReadAt): AsyncGenerator<RarBlock> {
  let at = 7
  for (let count = 0; count < MOST_HEADERS; count++) {
    const header = await readAt(at, 11)
    if (header.length < 7) return
    const [type, flags, size] = [header[2]!, header.readUInt16LE(3), header.readUInt16LE(5)]
    const data = (flags & 0x8000) !== 0 || type === FILE ? (header.length >= 11 ? header.readUInt32LE(7) : 0) : 0
    yield { at, type, flags, size, data }
    if (type === 0x7b || size < 7) return
    at += size + data
  }
}

/** Extra records of a file: encrypted data, and another place of its data. */
const [ENCRYPTED, REDIRECTED] = [1, 5]
/** The other place is an earlier file. */
const COPY = 5

/** Checks for an encryption header and for extra records of files (RAR 5.0 archive format). */
async function five(readAt: ReadAt): Promise<RarKind> {
  const kind: RarKind = { version: 5, encrypted: false, part: false, copies: new Map() }
  let at = 8
  for (let count = 0; count < MOST_HEADERS; count++) {
    const start = await readAt(at, 64)
    if (start.length < 7) break
    const first = numbers(start, 4)
    const size = first.next()
    const header = await readAt(at + 4 + first.width(), Math.min(size, 65_536))
    const fields = numbers(header, 0)
    const [type, flags] = [fields.next(), fields.next()]
    const extra = flags & 1 ? fields.next() : 0
    const data = flags & 2 ? fields.next() : 0
    if (type === 1) kind.part ||= (fields.next() & 1) !== 0
    kind.encrypted ||= type === 4
    if (type === 2) {
      const records = header.subarray(header.length - extra)
      kind.encrypted ||= recordOf(records, ENCRYPTED) !== undefined
      const original = copiedFrom(recordOf(records, REDIRECTED))
      if (original !== undefined) kind.copies.set(nameOf(header, fields), original)
    }
    if (kind.encrypted || type === 5 || size === 0) break
    at += 4 + first.width() + size + data
  }
  return kind
}

/** Returns the name of a file. `fields` is where those of a file begin in its header. */
function nameOf(header: Buffer, fields: ReturnType<typeof numbers>): string {
  const flags = fields.next()
  // Size and attributes come first, then the time and a checksum where the flags say so.
  fields.next()
  fields.next()
  fields.skip(fields.width() + (flags & 2 ? 4 : 0) + (flags & 4 ? 4 : 0))
  // Compression and operating system.
  fields.next()
  fields.next()
  const length = fields.next()
  return header.toString('utf8', fields.width(), fields.width() + length)
}

/** Returns the name of the earlier file that a file is a copy of. */
function copiedFrom(record: Buffer | undefined): string | undefined {
  if (!record) return undefined
  const fields = numbers(record, 0)
  if (fields.next() !== COPY) return undefined
  fields.next()
  const length = fields.next()
  return record.toString('utf8', fields.width(), fields.width() + length)
}

/** Returns the content of an extra record. */
function recordOf(area: Buffer, wanted: number): Buffer | undefined {
  const fields = numbers(area, 0)
  while (fields.width() < area.length) {
    const size = fields.next()
    const start = fields.width()
    if (fields.next() === wanted) return area.subarray(fields.width(), start + size)
    if (size === 0) return undefined
    fields.skip(start + size)
  }
  return undefined
}

/** Variable-length integers: 7 bits per byte, lowest first. The highest bit is set in all bytes but the last. */
function numbers(bytes: Buffer, from: number) {
  let at = from
  return {
    next(): number {
      let value = 0
      for (let scale = 1; at < bytes.length; scale *= 128) {
        const byte = bytes[at++]!
        value += (byte & 0x7f) * scale
        if (byte < 0x80 || scale > 2 ** 42) break
      }
      return value
    },
    /** Bytes read so far. */
    width: () => at - from,
    skip(to: number) {
      at = Math.max(at, from + to)
    },
  }
}
