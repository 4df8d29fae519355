import { inflateRawSync } from 'node:zlib'
import { Refusal } from '../refusal/refusal.ts'

/** A file in a package. */
export interface Member {
  name: string
  content: Buffer
}

/** Most bytes of all members together, and most members. */
const MOST = { bytes: 1024 ** 3, members: 10_000 }
const END = 22
const damaged = () => new Refusal('The document is damaged')

/** Reads all members of a zip, by its central directory (APPNOTE.TXT 6.3.9, §4.3). */
export function readMembers(zip: Buffer): Member[] {
  // Encrypted Office documents are compound files.
  if (zip.readUInt32BE(0) === 0xd0cf11e0) throw locked()
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end < 0 || end + END > zip.length) throw damaged()
  const { count, first } = directoryOf(zip, end)
  if (count > MOST.members) throw tooLarge()
  const members: Member[] = []
  let at = first
  let left = MOST.bytes
  for (let index = 0; index < count; index++) {
    if (zip.readUInt32BE(at) !== 0x504b0102) throw damaged()
    const [name, next, content] = member(zip, at, left)
    at = next
    left -= content.length
    if (!name.endsWith('/')) members.push({ name, content })
  }
  return members
}

function member(zip: Buffer, at: number, most: number): [name: string, next: number, content: Buffer] {
  const [flags, method] = [zip.readUInt16LE(at + 8), zip.readUInt16LE(at + 10)]
  if (flags & 1) throw locked()
  const lengths = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [number, number, number]
  const name = zip.toString('utf8', at + 46, at + 46 + lengths[0])
  const extra = zip.subarray(at + 46 + lengths[0], at + 46 + lengths[0] + lengths[1])
  const narrow = [24, 20, 42].map((offset) => zip.readUInt32LE(at + offset))
  const [size, packed, local] = widened(narrow, extra) as [number, number, number]
  if (size > most) throw tooLarge()
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
  const bytes = zip.subarray(start, start + packed)
  if (method !== 0 && method !== 8) throw damaged()
  // A member must have exactly the size that the directory says.
  const content = method === 0 ? bytes : inflateRawSync(bytes, { maxOutputLength: Math.max(size, 1) })
  if (content.length !== size) throw damaged()
  return [name, at + 46 + lengths[0] + lengths[1] + lengths[2], content]
}

/** Start and number of entries of the central directory. ZIP64 has a separate record for them (§4.3.14, §4.3.15). */
function directoryOf(zip: Buffer, end: number): { count: number; first: number } {
  const [count, first] = [zip.readUInt16LE(end + 10), zip.readUInt32LE(end + 16)]
  const locator = end - 20
  if (locator < 0 || zip.readUInt32LE(locator) !== 0x07064b50) return { count, first }
  const record = Number(zip.readBigUInt64LE(locator + 8))
  if (record + 56 > zip.length || zip.readUInt32LE(record) !== 0x06064b50) throw damaged()
  return { count: Number(zip.readBigUInt64LE(record + 32)), first: Number(zip.readBigUInt64LE(record + 48)) }
}

/** Sizes and offset of a member. Values of 0xffffffff are replaced, in order, from the ZIP64 extra field (§4.5.3). */
function widened(numbers: readonly number[], extra: Buffer): number[] {
  let at = 0
  while (at + 4 <= extra.length && extra.readUInt16LE(at) !== 1) at += 4 + extra.readUInt16LE(at + 2)
  let next = at + 4
  return numbers.map((number) => {
    if (number !== 0xffffffff) return number
    if (next + 8 > extra.length) throw damaged()
    next += 8
    return Number(extra.readBigUInt64LE(next - 8))
  })
}

export const locked = () => new Refusal('The document asks for a password', 'ENCRYPTED_INPUT')
const tooLarge = () => new Refusal('The document contains more than 1 GB or 10,000 files', 'RESOURCE_LIMIT')
