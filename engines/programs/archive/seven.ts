import type { ReadAt } from './looks.ts'

/** Bytes of the start header, and of the largest header that is read. */
export const START = 32
const MOST = 64 * 1024 ** 2
/** Ids of the parts of a header (7zFormat.txt). */
const ID = { header: 1, main: 4, packed: 6, unpacked: 7, sizes: 9, digests: 10, folders: 11, lengths: 12, encoded: 23 }
const LZMA = '030101'

/** A method that packs a folder. */
export interface Coder {
  /** Its number, hexadecimal. */
  id: string
  properties: Buffer
  /** Where its definition stands in that of its folder. */
  from: number
  to: number
}

/** Data that are packed together. */
export interface Folder {
  definition: Buffer
  coders: Coder[]
  /** Number of its packed streams. */
  streams: number
}

/** What a header of a 7z says about its data. */
export interface Contents {
  /** Place of the first packed stream in the file. */
  at: number
  sizes: number[]
  folders: Folder[]
  /** The header behind the folders. */
  rest: Buffer
}

/**
 * Reads the header of a 7z. Throws for headers that it does not know.
 *
 * @param unpack decompresses a file in the format .lzma
 */
export async function sevenContents(readAt: ReadAt, unpack: (lzma: Buffer) => Promise<Buffer>): Promise<Contents> {
  const start = await readAt(0, START)
  const header = await taken(readAt, START + Number(start.readBigUInt64LE(12)), Number(start.readBigUInt64LE(20)))
  if (header[0] !== ID.encoded) return contents(header, [ID.header, ID.main])
  const { at, sizes, folders, rest } = contents(header, [ID.encoded])
  const [coder, ...others] = folders[0]?.coders ?? []
  const length = reader(rest)
  if (coder?.id !== LZMA || others.length > 0 || length.byte() !== ID.lengths) throw new Error('a packed header')
  const size = Buffer.alloc(8)
  size.writeUIntLE(length.number(), 0, 6)
  return contents(await unpack(Buffer.concat([coder.properties, size, await taken(readAt, at, sizes[0]!)])), [
    ID.header,
    ID.main,
  ])
}

async function taken(readAt: ReadAt, at: number, size: number): Promise<Buffer> {
  if (size > MOST) throw new Error('a large header')
  return readAt(at, size)
}

function contents(header: Buffer, ids: readonly number[]): Contents {
  const { byte, number, bytes, place } = reader(header)
  for (const id of [...ids, ID.packed]) if (byte() !== id) throw new Error('an unusual header')
  const at = START + number()
  const count = number()
  if (byte() !== ID.sizes) throw new Error('no sizes')
  const sizes = listOf(count, number)
  for (let id = byte(); id !== 0; id = byte()) {
    if (id !== ID.digests || byte() !== 1) throw new Error('an unusual header')
    bytes(4 * count)
  }
  for (const id of [ID.unpacked, ID.folders]) if (byte() !== id) throw new Error('no folders')
  const folderCount = number()
  if (byte() !== 0) throw new Error('folders elsewhere')
  const folders = listOf(folderCount, () => folder())
  return { at, sizes, folders, rest: header.subarray(place()) }

  function folder(): Folder {
    const start = place()
    let [inputs, outputs] = [0, 0]
    const coders = listOf(number(), (): Coder => {
      const from = place() - start
      const flags = byte()
      const id = bytes(flags & 15).toString('hex')
      inputs += flags & 16 ? number() : 1
      outputs += flags & 16 ? number() : 1
      const properties = flags & 32 ? bytes(number()) : Buffer.alloc(0)
      return { id, properties, from, to: place() - start }
    })
    listOf(2 * (outputs - 1), number)
    const streams = inputs - (outputs - 1)
    if (streams > 1) listOf(streams, number)
    return { definition: header.subarray(start, place()), coders, streams }
  }
}

/** Calls a function that reads at least a byte: at the end of the header, it throws. */
const listOf = <Value>(count: number, read: () => Value): Value[] => {
  const list: Value[] = []
  while (list.length < count) list.push(read())
  return list
}

function reader(source: Buffer) {
  let at = 0
  const byte = () => source.readUInt8(at++)
  return {
    byte,
    bytes(count: number): Buffer {
      at += count
      if (at > source.length) throw new RangeError('the end of the header')
      return source.subarray(at - count, at)
    },
    /** The higher bits of the first byte tell how many bytes follow, its lower ones are the highest of the number. */
    number(): number {
      const first = byte()
      let value = 0
      for (let count = 0; count < 8; count++) {
        const mask = 128 >> count
        if ((first & mask) === 0) return value + (first & (mask - 1)) * 256 ** count
        value += byte() * 256 ** count
      }
      return value
    },
    place: () => at,
  }
}

/** A number as `reader` reads it. */
export function sevenNumber(value: number): Buffer {
  const bytes = Buffer.alloc(9)
  bytes[0] = 255
  bytes.writeUIntLE(value, 1, 6)
  return bytes
}
