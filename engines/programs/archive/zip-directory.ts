import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { fromRandomAccessReaderPromise, RandomAccessReader } from 'yauzl'
import { Damaged } from './complaints.ts'
import type { Member } from './entry.ts'

/** First bytes of a zip, as latin1. A TAR begins with a name, such as PKGBUILD, and may end with a zip. */
export const ZIP = /^PK(\x03\x04|\x05\x06|\x07\x08PK\x03\x04|00PK\x03\x04)/
/** Bytes of the directory that are read at once. yauzl asks for each header alone. */
const PIECE = 256 * 1024

/** What the directory of a zip says about its entries. */
export interface ZipDirectory {
  /** Number of entries. */
  count: number
  checksums: ReadonlySet<number>
}

/**
 * Reads the directory of a zip, which may stand behind other bytes. Undefined if it cannot be read, or has more than
 * `max` entries.
 */
export async function zipDirectory(path: string, max: number): Promise<ZipDirectory | undefined> {
  const checksums = new Set<number>()
  let count = 0
  const file = openSync(path, 'r')
  try {
    const options = { decodeStrings: false, validateEntrySizes: false }
    const { size } = fstatSync(file)
    const behind = bytesBefore(file, size)
    const zip = await fromRandomAccessReaderPromise(new PieceReader(file, behind), size - behind, options)
    for await (const header of zip.eachEntry()) {
      if (++count > max) return undefined
      checksums.add(header.crc32)
    }
    return { count, checksums }
  } catch {
    return undefined
  } finally {
    closeSync(file)
  }
}

/** The same members. Refuses files with another checksum than the directory says: bsdtar does not compare them. */
export async function* checked(members: AsyncIterable<Member>, { count, checksums }: ZipDirectory) {
  let found = 0
  let isWrong = false
  for await (const { entry, body } of members) {
    found++
    yield { entry, body: entry.size > 0 ? summed(body, (sum) => (isWrong ||= !checksums.has(sum))) : body }
  }
  // Some writers store the number of entries modulo 65536: then the directory has been read in part.
  if (isWrong && found <= count) throw new Damaged('a file of the zip has another checksum')
}

async function* summed(body: AsyncIterable<Buffer>, use: (sum: number) => void): AsyncGenerator<Buffer> {
  let sum = 0
  for await (const piece of body) {
    sum = crc32(piece, sum)
    yield piece
  }
  use(sum)
}

/** How many bytes stand before a zip, if its directory does not count them (APPNOTE 4.3.16). */
function bytesBefore(file: number, size: number): number {
  const tail = Buffer.alloc(Math.min(size, 65_557))
  readSync(file, tail, 0, tail.length, size - tail.length)
  const at = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (at < 0 || at + 20 > tail.length) return 0
  const before = size - tail.length + at - tail.readUInt32LE(at + 12) - tail.readUInt32LE(at + 16)
  const mark = Buffer.alloc(4)
  if (before > 0) readSync(file, mark, 0, 4, before + tail.readUInt32LE(at + 16))
  return mark.toString('latin1') === 'PK\x01\x02' ? before : 0
}

type Read = (error: null, bytesRead: number) => void

class PieceReader extends RandomAccessReader {
  readonly file: number
  readonly behind: number
  start = 0
  piece = Buffer.alloc(0)

  constructor(file: number, behind: number) {
    super()
    this.file = file
    this.behind = behind
  }

  override read(into: Buffer, offset: number, length: number, position: number, callback: Read): void {
    if (position < this.start || position + length > this.start + this.piece.length) {
      const piece = Buffer.alloc(Math.max(length, PIECE))
      this.start = position
      this.piece = piece.subarray(0, readSync(this.file, piece, 0, piece.length, this.behind + position))
    }
    const at = position - this.start
    callback(null, this.piece.copy(into, offset, at, at + length))
  }
}
