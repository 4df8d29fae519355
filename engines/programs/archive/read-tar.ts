import { BLOCK, byteReader, drain } from './bytes.ts'
import { damaged } from './complaints.ts'
import type { Entry, Member } from './entry.ts'
import { mapsNothing, zeros } from './holes.ts'

const MOST_RECORDS = 1024 ** 2
/** Records of older maps of holes, which stand outside of the content. */
const OLDER = ['size', 'numblocks', 'offset', 'numbytes', 'map']

const TYPES: Readonly<Record<string, Entry['type']>> = {
  ...{ '\0': 'file', 0: 'file', 7: 'file', 1: 'link', 2: 'symlink', 5: 'folder' },
  ...{ 3: 'other', 4: 'other', 6: 'other' },
}

/** What comes after `ustar`: in the formats of POSIX, and in that of GNU tar. */
const [POSIX, GNU] = ['ustar\0', 'ustar ']
/** Types of entries whose content is a record of the next entry (GNU tar, Basic Tar Format). */
const LONG: Readonly<Record<string, string>> = { L: 'path', K: 'linkpath' }

/**
 * Reads a tar in the pax format: ustar headers, each with at most one extended header (POSIX, pax). bsdtar prints it. Also
 * reads long names of GNU tar. Refuses other formats, and older ways to tell of holes: nothing in them may be misread.
 */
export async function* readTar(chunks: AsyncIterable<Buffer>): AsyncGenerator<Member> {
  const reader = byteReader(chunks)
  let records = new Map<string, Buffer>()
  let held: Buffer | undefined
  let ended = false
  for (let block = await next(); block; block = await next()) {
    // Blocks of zeros end the archive; the rest is padding.
    ended ||= block[0] === 0
    if (ended) continue
    const header = Buffer.from(block)
    if (!isHeader(header) || ![POSIX, GNU].includes(magicOf(header))) throw damaged()
    const type = String.fromCharCode(header[156]!)
    if (type === 'x' || type === 'g') {
      const extended = parseRecords(await recordsOf(number(header, 124, 12)))
      // Records for all entries are comments of the writer, such as the version of the sources.
      if (type === 'x') records = extended
      else if ([...extended.keys()].some((key) => key !== 'comment')) throw damaged()
      continue
    }
    if (LONG[type]) {
      const text = await recordsOf(number(header, 124, 12))
      records.set(LONG[type], field(text, 0, text.length))
      continue
    }
    const entry = entryOf(header, records)
    records = new Map()
    const { sparse: size, ...plain } = entry
    if (size !== undefined && entry.size === BLOCK) {
      await skipMap()
      yield { entry: { ...plain, size }, body: zeros(size) }
      continue
    }
    const body = reader.pieces(entry.size, BLOCK)
    yield { entry, body }
    await drain(body)
  }

  async function next(): Promise<Buffer | undefined> {
    const block = held ?? (await reader.exactly(BLOCK))
    held = undefined
    return block
  }

  /** For a file that is one hole, libarchive 3.6 prints no map, though the size in its header counts one. */
  async function skipMap(): Promise<void> {
    const block = await next()
    if (!block || !mapsNothing(block)) held = block
  }

  async function recordsOf(size: number): Promise<Buffer> {
    if (size > MOST_RECORDS) throw damaged()
    return Buffer.concat(await Array.fromAsync(reader.pieces(size, BLOCK)))
  }
}

/** Whether a block is a header of a tar: whether its checksum is right. The checksum's own field counts as spaces. */
export function isHeader(block: Buffer): boolean {
  const sum = block.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0)
  return block[0] !== 0 && sum === Number.parseInt(block.toString('latin1', 148, 156), 8)
}

const magicOf = (header: Buffer) => header.toString('latin1', 257, 263)

function entryOf(header: Buffer, records: ReadonlyMap<string, Buffer>): Entry {
  const text = (key: string) => records.get(key)?.toString('utf8')
  // GNU tar keeps other things there.
  const prefix = field(header, 345, magicOf(header) === POSIX ? 155 : 0)
  const short = field(header, 0, 100)
  const joined = prefix.length > 0 ? Buffer.concat([prefix, Buffer.from('/'), short]) : short
  const type = TYPES[String.fromCharCode(header[156]!)]
  if (!type || OLDER.some((key) => records.has(`GNU.sparse.${key}`))) throw damaged()
  const sparse = records.get('GNU.sparse.realsize')
  return {
    type,
    name: records.get('GNU.sparse.name') ?? records.get('path') ?? joined,
    target: records.get('linkpath') ?? field(header, 157, 100),
    size: type === 'file' ? whole(text('size') ?? number(header, 124, 12)) : 0,
    ...(sparse && { sparse: whole(sparse.toString()) }),
    mode: number(header, 100, 8) & 0o7777,
    mtime: /^-?\d{1,12}(\.\d{1,9})?$/.exec(text('mtime') ?? '')?.[0] ?? String(number(header, 136, 12)),
    uid: whole(text('uid') ?? number(header, 108, 8)),
    gid: whole(text('gid') ?? number(header, 116, 8)),
    user: text('uname') ?? field(header, 265, 32).toString('utf8'),
    group: text('gname') ?? field(header, 297, 32).toString('utf8'),
    extended: [...records.keys()].some((key) => /xattr|acl|fflags/.test(key)),
  }
}

/** Records `LENGTH KEY=VALUE\n`. The length is that of the whole record (POSIX pax, extended header). */
function parseRecords(bytes: Buffer): Map<string, Buffer> {
  const records = new Map<string, Buffer>()
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(' ', at)
    const length = Number(bytes.toString('latin1', at, space))
    const equals = bytes.indexOf('=', space)
    if (!Number.isInteger(length) || length < 5 || space < 0 || equals < 0) throw damaged()
    records.set(bytes.toString('latin1', space + 1, equals), bytes.subarray(equals + 1, at + length - 1))
    at += length
  }
  return records
}

/** A text field. It ends at the first zero byte. */
function field(header: Buffer, at: number, length: number): Buffer {
  const end = header.subarray(at, at + length).indexOf(0)
  return header.subarray(at, at + (end < 0 ? length : end))
}

/** Octal digits, or, if the highest bit of the first byte is set, a big-endian number. */
function number(header: Buffer, at: number, length: number): number {
  if (header[at]! & 0x80) {
    const low = Number(BigInt.asIntN(64, header.readBigInt64BE(at + length - 8)))
    return Number.isSafeInteger(low) ? low : 0
  }
  return Number.parseInt(field(header, at, length).toString('latin1').trim() || '0', 8) || 0
}

function whole(value: string | number): number {
  const count = Number(value)
  if (!Number.isSafeInteger(count) || count < 0) throw damaged()
  return count
}
