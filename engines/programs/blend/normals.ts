/** Bytes of the file header, and of a block header with 64-bit pointers. */
const HEAD = 12
const BLOCK = 24

/** The structure of a mesh vertex, and its number of fields without a normal: position, two flags, padding. */
const CORNER = 'MVert'
const FIELDS = 4

const codeAt = (bytes: Buffer, at: number) => bytes.toString('latin1', at, at + 4)
const aligned = (at: number) => Math.ceil(at / 4) * 4

/**
 * Declares the four bytes after the position of each vertex as a normal, as they were until Blender 3.0. Their values
 * are not valid normals. A file describes its own structures in the block `DNA1`: lists of names, of types and of their
 * lengths, then for each structure its type and the types and names of its fields, by index.
 *
 * Returns undefined if several blocks have the same address, which happens since 3.5: then pointers are ambiguous.
 *
 * @throws RangeError or Error for a file that ends early
 */
export function withNormals(bytes: Buffer): Buffer | undefined {
  let block = HEAD
  const places = new Set<bigint>()
  for (let code = codeAt(bytes, block); code !== 'DNA1'; code = codeAt(bytes, block)) {
    const place = bytes.readBigUInt64LE(block + 8)
    if (code === 'DATA' && places.has(place)) return
    if (code === 'DATA') places.add(place)
    block += BLOCK + bytes.readUInt32LE(block + 4)
  }
  const names = strings(bytes, block + BLOCK + 4)
  const types = strings(bytes, aligned(names.end))
  const lengths = aligned(types.end) + 4
  let at = aligned(lengths + 2 * types.list.length) + 4
  const count = bytes.readUInt32LE(at)
  at += 4
  for (let structure = 0; structure < count; structure++) {
    const type = bytes.readUInt16LE(at)
    const fields = bytes.readUInt16LE(at + 2)
    at += 4
    if (types.list[type] === CORNER && fields === FIELDS) break
    at += 4 * fields
  }

  // The four bytes become one field with a new name. Two fields of length 0 replace the other ones.
  const [char, nothing] = [types.list.indexOf('char'), types.list.indexOf('void')] as [number, number]
  const normal = names.list.length
  const none = names.list.length + 1
  for (const [index, number] of [char, normal, nothing, none, nothing, none].entries())
    bytes.writeUInt16LE(number, at + 4 + 2 * index)
  const added = Buffer.from('no[4]\0_\0')
  bytes.writeUInt32LE(names.list.length + 2, block + BLOCK + 8)
  bytes.writeUInt32LE(bytes.readUInt32LE(block + 4) + added.length, block + 4)
  return Buffer.concat([bytes.subarray(0, names.end), added, bytes.subarray(names.end)])
}

/** A list of strings after its name and its length, and where it ends. */
function strings(bytes: Buffer, at: number): { list: string[]; end: number } {
  const count = bytes.readUInt32LE(at + 4)
  const list: string[] = []
  let end = at + 8
  while (list.length < count) {
    const next = bytes.indexOf(0, end)
    if (next < 0) throw new Error('a list without an end')
    list.push(bytes.toString('latin1', end, next))
    end = next + 1
  }
  return { list, end }
}
