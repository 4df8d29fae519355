import { fromRandomAccessReaderPromise, type Entry as Header, RandomAccessReader } from 'yauzl'
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
/** Bytes of the directory that are read, and at once: yauzl asks for each header alone. */
const MAX_DIRECTORY = 4 * 1024 * 1024
const PIECE = 64 * 1024
const LOCAL = Buffer.from('PK\x03\x04', 'latin1')

/** Lists a zip by its central directory. Without one, by the local headers in the head (APPNOTE 4.3). */
export async function listZip(file: Source): Promise<Entry[]> {
  const entries: Entry[] = []
  try {
    const options = { decodeStrings: false, validateEntrySizes: false }
    const zip = await fromRandomAccessReaderPromise(new DirectoryReader(file), file.size, options)
    for await (const header of zip.eachEntry()) {
      entries.push(entryOf(header))
      if (entries.length === MAX_ENTRIES) break
    }
  } catch {
    // A directory that is damaged or too long is read up to there.
  }
  return entries.length > 0 ? entries : localHeaders(file.head)
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

const entryOf = (header: Header): Entry => ({
  name: normal(header.fileNameRaw.toString('latin1')),
  method: header.compressionMethod,
  encrypted: header.isEncrypted(),
  size: header.compressedSize,
  offset: header.relativeOffsetOfLocalHeader,
})

type Read = (error: Error | null, bytesRead?: number) => void

/** Reads a source by pieces, up to a limit. */
class DirectoryReader extends RandomAccessReader {
  readonly file: Source
  start = 0
  piece = Buffer.alloc(0)
  total = 0

  constructor(file: Source) {
    super()
    this.file = file
  }

  override read(into: Buffer, offset: number, length: number, position: number, callback: Read): void {
    const copy = () => {
      const at = position - this.start
      callback(null, this.piece.copy(into, offset, at, at + length))
    }
    if (position >= this.start && position + length <= this.start + this.piece.length) copy()
    else this.load(position, Math.max(length, PIECE)).then(copy, callback)
  }

  async load(position: number, length: number): Promise<void> {
    this.total += length
    if (this.total > MAX_DIRECTORY) throw new Error('the directory is too long')
    this.start = position
    this.piece = Buffer.from(await this.file.read(position, length))
  }
}

/** Entries of a zip that is cut off, or has other bytes behind its end. */
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
