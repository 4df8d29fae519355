import { crc32, deflateRawSync } from 'node:zlib'

/** An entry of a zip that no honest program would write. */
export interface RawEntry {
  name: string
  /** Name in the local header. Default: the same. */
  localName?: string
  content?: string | Buffer
  /** Default: deflated. */
  stored?: boolean
  flags?: number
  crc?: number
  /** Unpacked bytes that both headers claim. Default: the true number. */
  size?: number
  /** Unpacked bytes that the local header claims. Default: those of the directory. */
  localSize?: number
  /** Maker: 0 for DOS, 3 for Unix. */
  maker?: number
  attributes?: number
  /** Extra fields of both headers. */
  extra?: Buffer
  /** Number of the entry whose local header the directory names. Default: its own. */
  place?: number
}

/** Makes a zip of these entries, with bytes before, between the parts, and behind. */
export function rawZip(entries: readonly RawEntry[], { before = '', between = '', comment = '' } = {}): Buffer {
  const parts: Buffer[] = [Buffer.from(before)]
  const places: number[] = []
  const length = () => parts.reduce((sum, { length }) => sum + length, 0)
  const fields = entries.map((entry) => {
    const content = Buffer.from((entry.content ?? '') as string)
    const data = entry.stored ? content : deflateRawSync(content)
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt16LE(entry.flags ?? 0, 2)
    shared.writeUInt16LE(entry.stored ? 0 : 8, 4)
    shared.writeUInt32LE(0x5a5d6d1d, 6)
    shared.writeUInt32LE(entry.crc ?? crc32(content), 10)
    shared.writeUInt32LE(data.length, 14)
    shared.writeUInt32LE(entry.size ?? content.length, 18)
    shared.writeUInt16LE(Buffer.byteLength(entry.name), 22)
    shared.writeUInt16LE(entry.extra?.length ?? 0, 24)
    return { ...entry, data, shared, extra: entry.extra ?? Buffer.alloc(0) }
  })
  for (const { shared, data, extra, name, localName = name, size, localSize } of fields) {
    places.push(length())
    const local = Buffer.from(shared)
    local.writeUInt32LE(localSize ?? size ?? shared.readUInt32LE(18), 18)
    local.writeUInt16LE(Buffer.byteLength(localName), 22)
    parts.push(Buffer.from('PK\x03\x04'), local, Buffer.from(localName), extra, data, Buffer.from(between))
  }
  const start = length()
  for (const [index, { shared, extra, name, maker = 3, attributes = 0o100644 * 2 ** 16, place }] of fields.entries()) {
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(attributes, 6)
    rest.writeUInt32LE(places[place ?? index]!, 10)
    parts.push(Buffer.from('PK\x01\x02'), Buffer.from([20, maker]), shared, rest, Buffer.from(name), extra)
  }
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(length() - start, 8)
  end.writeUInt32LE(start, 12)
  end.writeUInt16LE(Buffer.byteLength(comment), 16)
  return Buffer.concat([...parts, Buffer.from('PK\x05\x06'), end, Buffer.from(comment)])
}
