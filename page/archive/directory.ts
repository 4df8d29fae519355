/** A file in a ZIP archive. */
export interface Member {
  /** Its path with forward slashes, without `.` and `..`. */
  path: string
  /** 0: stored. 8: deflated. */
  method: number
  /** Bytes in the archive, and unpacked. */
  packed: number
  size: number
  /** Position of its local header. */
  offset: number
}

/** Why an archive cannot be opened in the browser. */
export type Refusal = 'damaged' | 'locked' | 'empty' | 'large' | 'bomb' | 'unknown'

export class ArchiveError extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal)
    this.refusal = refusal
  }
}

/** The most that is unpacked: files, and bytes. The list stays quick, and the browser's storage is enough. */
export const MAX = { files: 2000, bytes: 1_000_000_000 }

/** An archive that grows more than this is a bomb, if it is also large. Long logs grow by up to 100. */
const GROWTH = { ratio: 200, bytes: 50_000_000 }

const END = 0x06054b50
const ENTRY = 0x02014b50
const END_SIZE = 22
const ENTRY_SIZE = 46
const COMMENT = 0xffff

/** Files that file managers add. */
const HIDDEN = /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i

/** Reads the table of contents of a ZIP archive, and nothing else of it. @throws ArchiveError. */
export async function readDirectory(file: Blob): Promise<Member[]> {
  const tail = await viewOf(file.slice(Math.max(0, file.size - END_SIZE - COMMENT)))
  let end = tail.byteLength - END_SIZE
  while (end >= 0 && tail.getUint32(end, true) !== END) end--
  if (end < 0) throw new ArchiveError('damaged')
  const count = tail.getUint16(end + 10, true)
  const length = tail.getUint32(end + 12, true)
  const start = tail.getUint32(end + 16, true)
  // These values mean that the true ones are in a ZIP64 record, of an archive above our limits.
  if (count > 10 * MAX.files || start === 0xffffffff) throw new ArchiveError('large')
  if (start + length > file.size) throw new ArchiveError('damaged')
  return checked(parse(await viewOf(file.slice(start, start + length)), count), file.size)
}

const viewOf = async (blob: Blob) => new DataView(await blob.arrayBuffer())

function parse(table: DataView, count: number): Member[] {
  const members: Member[] = []
  for (let at = 0, read = 0; read < count; read++) {
    if (at + ENTRY_SIZE > table.byteLength || table.getUint32(at, true) !== ENTRY) throw new ArchiveError('damaged')
    const entry = at
    const short = (place: number) => table.getUint16(entry + place, true)
    const long = (place: number) => table.getUint32(entry + place, true)
    const next = at + ENTRY_SIZE + short(28) + short(30) + short(32)
    if (next > table.byteLength) throw new ArchiveError('damaged')
    const path = textOf(new Uint8Array(table.buffer, at + ENTRY_SIZE, short(28))).replaceAll('\\', '/')
    if (!path.endsWith('/') && !HIDDEN.test(path)) {
      if (short(8) & 1) throw new ArchiveError('locked')
      if (short(10) !== 0 && short(10) !== 8) throw new ArchiveError('unknown')
      members.push({ path: tame(path), method: short(10), packed: long(20), size: long(24), offset: long(42) })
    }
    at = next
  }
  return members
}

/** Returns the members, if unpacking them is safe. */
function checked(members: Member[], archiveSize: number): Member[] {
  if (!members.length) throw new ArchiveError('empty')
  const total = members.reduce((sum, { size }) => sum + size, 0)
  if (total > GROWTH.bytes && total > GROWTH.ratio * archiveSize) throw new ArchiveError('bomb')
  if (members.length > MAX.files || total > MAX.bytes) throw new ArchiveError('large')
  // Members that share their bytes are the trick of a bomb.
  let end = 0
  for (const { offset, packed } of members.toSorted((a, b) => a.offset - b.offset)) {
    if (offset < end) throw new ArchiveError('bomb')
    end = offset + packed
  }
  if (end > archiveSize) throw new ArchiveError('damaged')
  return members
}

/** Names are UTF-8, or in old archives in a character set that nothing names. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const tame = (path: string) =>
  path
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..' && !/^[a-z]:$/i.test(part))
    .join('/') || 'file'
