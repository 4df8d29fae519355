import { inflateRawSync } from 'node:zlib'
import { Refusal } from './refusal.ts'

/** A file in a package. */
export interface Member {
  name: string
  content: Buffer
}

/** Bytes of all members together, and their number. */
const MOST = { bytes: 1024 ** 3, members: 10_000 }
const END = 22
const damaged = () => new Refusal('CONVERSION_ERROR', 'The document is damaged')

/** Reads every member of a zip by its central directory (APPNOTE.TXT 6.3.9, §4.3). */
export function readMembers(zip: Buffer): Member[] {
  // Office keeps what asks for a password in another container.
  if (zip.readUInt32BE(0) === 0xd0cf11e0) throw locked()
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end < 0 || end + END > zip.length) throw damaged()
  const count = zip.readUInt16LE(end + 10)
  if (count > MOST.members) throw tooLarge()
  const members: Member[] = []
  let at = zip.readUInt32LE(end + 16)
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
  const [packed, size] = [zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 24)]
  if (size > most) throw tooLarge()
  const lengths = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [number, number, number]
  const name = zip.toString('utf8', at + 46, at + 46 + lengths[0])
  const local = zip.readUInt32LE(at + 42)
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
  const bytes = zip.subarray(start, start + packed)
  if (method !== 0 && method !== 8) throw damaged()
  // What does not end where the directory says is not passed on.
  const content = method === 0 ? bytes : inflateRawSync(bytes, { maxOutputLength: Math.max(size, 1) })
  if (content.length !== size) throw damaged()
  return [name, at + 46 + lengths[0] + lengths[1] + lengths[2], content]
}

export const locked = () => new Refusal('ENCRYPTED_INPUT', 'The document asks for a password')
const tooLarge = () => new Refusal('RESOURCE_LIMIT', 'The document holds more than 1 GB or 10,000 files')
