import { readSync } from 'node:fs'
import { type Extras, extrasOf } from './zip-extras.ts'
import { kindOf, timeOf } from './zip-kind.ts'

/** A file or a folder of a plain zip. */
export interface Packed {
  name: string
  folder: boolean
  /** Whether it is compressed, by Deflate; otherwise it is stored. */
  deflated: boolean
  /** Permissions. */
  mode: number
  /** Seconds since 1970. */
  mtime: number
  uid: number
  gid: number
  crc: number
  /** Where its data begin, and how many bytes they have in the archive. */
  at: number
  length: number
  /** Unpacked bytes. */
  size: number
  /** Whether its checksum and sizes stand behind the data again. */
  described: boolean
}

const [END, LOCATOR, LOCAL, HEADER] = [0x06054b50, 0x07064b50, 0x04034b50, 0x02014b50]
/** Lengths of these records without names and extra fields. */
const [OF_END, OF_LOCATOR, OF_LOCAL, OF_HEADER] = [22, 20, 30, 46]
/** Largest directory: about 100,000 entries. */
const MOST_DIRECTORY = 16 * 1024 ** 2
/** Larger sizes and places are in other fields. */
const ELSEWHERE = 0xffffffff
/** Bytes of a description behind the data, without and with its signature. */
const DESCRIPTIONS = [12, 16]
/** Flags: how hard the writer compressed, that sizes follow the data, and that the name is UTF-8. */
const [EFFORT, FOLLOWS, UTF8] = [6, 8, 0x800]

/**
 * Reads the directory of a zip that nobody can read in two ways: nothing before its first entry and behind its end, no
 * parts that overlap, local headers that say what the directory does, and only files and folders with ASCII names, not
 * encrypted, stored or deflated. Undefined for any other zip. The entries are in the order of their data, which bsdtar
 * keeps, with the times and modes that bsdtar reads. Names may still lead outside, and data may be damaged.
 *
 * @param file Descriptor. @param size Bytes of the file. @param most Maximum number of entries.
 */
export function plainZip(file: number, size: number, most: number): Packed[] | undefined {
  const read = (at: number, length: number) => {
    const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - at)))
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, at))
  }
  const tail = read(size - OF_END, OF_END)
  if (tail.length < OF_END || tail.readUInt32LE(0) !== END) return undefined
  const [count, length, from] = [tail.readUInt16LE(10), tail.readUInt32LE(12), tail.readUInt32LE(16)]
  const single = tail.readUInt32LE(4) === 0 && tail.readUInt16LE(8) === count && tail.readUInt16LE(20) === 0
  if (!single || count > most || length > MOST_DIRECTORY || from + length + OF_END !== size) return undefined
  if (size > OF_END + OF_LOCATOR && read(size - OF_END - OF_LOCATOR, 4).readUInt32LE(0) === LOCATOR) return undefined

  const directory = read(from, length)
  const headers: Header[] = []
  for (let at = 0; headers.length < count; ) {
    const header = headerAt(directory, at)
    if (!header) return undefined
    headers.push(header)
    at += header.length
    if (headers.length === count && at !== length) return undefined
  }
  headers.sort((one, other) => one.place - other.place)
  const entries: Packed[] = []
  for (const header of headers) {
    const entry = follows(entries.at(-1), header.place) ? packed(header, read) : undefined
    if (!entry) return undefined
    entries.push(entry)
  }
  return follows(entries.at(-1), from) ? entries : undefined
}

/** Whether a place directly follows an entry, or its description. A gap could hold entries that other programs find. */
function follows(entry: Packed | undefined, place: number): boolean {
  if (!entry) return place === 0
  const gap = place - entry.at - entry.length
  return gap === 0 || (entry.described && DESCRIPTIONS.includes(gap))
}

/** A header of the directory. */
interface Header {
  bytes: Buffer
  name: Buffer
  extras: Extras
  /** Where the local header is. */
  place: number
  length: number
}

function headerAt(directory: Buffer, at: number): Header | undefined {
  if (at + OF_HEADER > directory.length || directory.readUInt32LE(at) !== HEADER) return undefined
  const [name, extra, comment] = [28, 30, 32].map((field) => directory.readUInt16LE(at + field)) as [
    number,
    number,
    number,
  ]
  const length = OF_HEADER + name + extra + comment
  if (at + length > directory.length) return undefined
  const bytes = directory.subarray(at, at + length)
  const extras = extrasOf(bytes.subarray(OF_HEADER + name, OF_HEADER + name + extra))
  return (
    extras && {
      bytes,
      name: bytes.subarray(OF_HEADER, OF_HEADER + name),
      extras,
      place: bytes.readUInt32LE(42),
      length,
    }
  )
}

/** The entry of a header, if its local header agrees. */
function packed({ bytes, name, extras, place }: Header, read: (at: number, length: number) => Buffer) {
  const [flags, method] = [bytes.readUInt16LE(8), bytes.readUInt16LE(10)]
  const [crc, length, size] = [bytes.readUInt32LE(16), bytes.readUInt32LE(20), bytes.readUInt32LE(24)]
  const kind = kindOf(bytes, name)
  const usual = (flags & ~(EFFORT | FOLLOWS | UTF8)) === 0 && (method === 8 || (method === 0 && length === size))
  if (!kind || !usual || [length, size, place].includes(ELSEWHERE) || bytes.readUInt16LE(34) !== 0) return undefined
  if (kind.folder && (size > 0 || length > 0)) return undefined

  const local = read(place, OF_LOCAL + name.length)
  if (local.length < OF_LOCAL + name.length || local.readUInt32LE(0) !== LOCAL) return undefined
  const same = local.subarray(6, 14).equals(bytes.subarray(8, 16)) && local.subarray(OF_LOCAL).equals(name)
  const agrees = [crc, length, size].every((value, index) => {
    const told = local.readUInt32LE(14 + 4 * index)
    return told === value || (told === 0 && (flags & FOLLOWS) > 0)
  })
  if (!same || !agrees || local.readUInt16LE(26) !== name.length) return undefined
  const extra = local.readUInt16LE(28)
  const own = extrasOf(read(place + OF_LOCAL + name.length, extra))
  const mtime = own?.mtime ?? timeOf(local)
  if (!own || mtime === undefined) return undefined
  const { uid = 0, gid = 0 } = { ...extras, ...own }
  const at = place + OF_LOCAL + name.length + extra
  const described = (flags & FOLLOWS) > 0
  return {
    name: name.toString('latin1'),
    ...kind,
    deflated: method === 8,
    mtime,
    uid,
    gid,
    crc,
    at,
    length,
    size,
    described,
  }
}
