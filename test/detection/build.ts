import { deflateRawSync } from 'node:zlib'
import type { Peek } from '../../kernel/detection/source.ts'

/** A file in memory that counts the bytes read. */
export function peek(bytes: Uint8Array | string, size?: number): Peek & { cost: { bytes: number; reads: number } } {
  const data = Buffer.from(bytes as Uint8Array)
  const cost = { bytes: 0, reads: 0 }
  return {
    size: size ?? data.length,
    cost,
    async read(offset, length) {
      const chunk = Buffer.from(data.subarray(offset, offset + length))
      cost.bytes += length
      cost.reads += 1
      return chunk
    },
  }
}

export const latin = (text: string) => Buffer.from(text, 'latin1')
export const join = (...parts: (Buffer | string)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? latin(part) : part)))
export const u16 = (value: number) => Buffer.from([value & 255, value >> 8])
export const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value >>> 0)
  return bytes
}
export const be32 = (value: number) => u32(value).reverse() as Buffer

/** A zip of stored or deflated members, in the given order. */
export function zip(
  files: Record<string, string | Buffer>,
  { deflate = false, flags = 0, directory = true }: { deflate?: boolean; flags?: number; directory?: boolean } = {},
): Buffer {
  const method = deflate ? 8 : 0
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const raw = Buffer.from(content as string)
    const data = deflate ? deflateRawSync(raw) : raw
    const common = join(
      u16(20),
      u16(flags),
      u16(method),
      u32(0),
      u32(0),
      u32(data.length),
      u32(raw.length),
      u16(name.length),
    )
    const local = join('PK\x03\x04', common, u16(0), name, data)
    central.push(join('PK\x01\x02', u16(20), common, u16(0), u16(0), u16(0), u16(0), u32(0), u32(offset), name))
    locals.push(local)
    offset += local.length
  }
  if (!directory) return join(...locals)
  const list = join(...central)
  return join(...locals, list, end(central.length, list.length, offset))
}

/** An end-of-central-directory record. */
export const end = (count: number, length: number, offset: number) =>
  join(
    'PK\x05\x06',
    u32(0),
    u16(Math.min(count, 0xffff)),
    u16(Math.min(count, 0xffff)),
    u32(length),
    u32(offset),
    u16(0),
  )

/** A compound file of empty streams, all children of the root. */
export function ole(names: string[], { next = 0xfffffffe, embedded = [] as string[] } = {}): Buffer {
  const header = Buffer.alloc(512, 0xff)
  latin('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1').copy(header)
  header.fill(0, 8, 76)
  header.writeUInt16LE(9, 30)
  header.writeUInt32LE(1, 48)
  header.writeUInt32LE(0xfffffffe, 68)
  header.writeUInt32LE(0, 76)
  const fat = Buffer.alloc(512, 0xff)
  const all = ['Root Entry', ...names, ...embedded]
  const entries = all.map((name, index) => {
    const entry = Buffer.alloc(128)
    entry.write(name, 'utf16le')
    entry.writeUInt16LE(name.length * 2 + 2, 64)
    entry.writeUInt32LE(0xffffffff, 68)
    entry.writeUInt32LE(index > 0 && index < names.length ? index + 1 : 0xffffffff, 72)
    entry.writeUInt32LE(index === 0 ? 1 : 0xffffffff, 76)
    return entry
  })
  const directory = join(...entries)
  const sectors = Math.ceil(directory.length / 512)
  for (let i = 1; i < sectors; i++) fat.writeUInt32LE(i + 1, i * 4)
  fat.writeUInt32LE(next, sectors * 4)
  return join(header, fat, directory, Buffer.alloc(sectors * 512 - directory.length))
}

/** A box of ISO 14496-12. */
export const box = (type: string, ...content: (Buffer | string)[]): Buffer => {
  const data = join(...content)
  return join(be32(data.length + 8), type, data)
}

/** A movie with one track for each handler. */
export const movie = (...handlers: string[]) =>
  box(
    'moov',
    box('mvhd', Buffer.alloc(100)),
    ...handlers.map((handler) =>
      box('trak', box('mdia', box('mdhd', Buffer.alloc(24)), box('hdlr', Buffer.alloc(8), handler, Buffer.alloc(13)))),
    ),
  )

/** An EBML element with a size of one or four bytes. */
export const ebml = (id: string, ...content: (Buffer | string)[]): Buffer => {
  const data = join(...content)
  const size =
    data.length < 127
      ? Buffer.from([0x80 | data.length])
      : join(Buffer.from([0x10 | (data.length >> 24)]), be32(data.length).subarray(1))
  return join(Buffer.from(id, 'hex'), size, data)
}
export const matroska = (docType: string, ...types: number[]) =>
  join(
    ebml('1a45dfa3', ebml('4282', docType)),
    ebml(
      '18538067',
      ebml('1549a966', Buffer.alloc(40)),
      ebml('1654ae6b', ...types.map((type) => ebml('ae', ebml('d7', '\x01'), ebml('83', Buffer.from([type]))))),
    ),
  )

/** The first page of an Ogg stream. */
export const oggPage = (start: string, flags = 2) =>
  join('OggS\0', Buffer.from([flags]), Buffer.alloc(20), Buffer.from([1, start.length]), start)

/** A little-endian TIFF with one directory. Texts come after it. */
export function tiff(values: Readonly<Record<number, number | string>>, big = false): Buffer {
  const tags = Object.entries(values)
  const s = (value: number) => (big ? (u16(value).reverse() as Buffer) : u16(value))
  const l = (value: number) => (big ? be32(value) : u32(value))
  let at = 8 + 2 + tags.length * 12 + 4
  const texts: Buffer[] = []
  const entries = tags.map(([name, value]) => {
    const tag = Number(name)
    if (typeof value === 'number') return join(s(tag), s(4), l(1), l(value))
    const text = latin(`${value}\0`)
    texts.push(text)
    at += text.length
    return join(s(tag), s(2), l(text.length), l(at - text.length))
  })
  return join(big ? 'MM' : 'II', s(42), l(8), s(tags.length), ...entries, l(0), ...texts)
}

/** Silent MPEG audio: `count` frames of layer 3 (417 bytes) or ADTS frames (32 bytes). */
export const mp3 = (count: number) =>
  join(...Array.from({ length: count }, () => join('\xff\xfb\x90\0', Buffer.alloc(413))))
export const adts = (count: number) =>
  join(
    ...Array.from({ length: count }, () =>
      join(Buffer.from([0xff, 0xf1, 0x50, 0x80, 0x04, 0x1f, 0xfc]), Buffer.alloc(25)),
    ),
  )

/** A tar of one file, with a valid checksum. */
export function tar(magic = 'ustar\x0000'): Buffer {
  const header = Buffer.alloc(512)
  header.write('hello.txt\0', 'latin1')
  header.write('0000644\0', 100, 'latin1')
  header.write('00000000005\0', 124, 'latin1')
  header.write(magic, 257, 'latin1')
  header.fill(' ', 148, 156)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return join(header, 'hello', Buffer.alloc(507 + 1024))
}

/** Bytes that look random, the same in every run. */
export function noise(length: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(length)
  for (let i = 0; i < length; i++) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    bytes[i] = seed >>> 16
  }
  return bytes
}
