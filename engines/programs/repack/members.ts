import { inflateRawSync } from 'node:zlib'
import { type Entry, fromBufferPromise } from 'yauzl'
import { Refusal } from '../refusal/refusal.ts'

/** A file in a package. */
export interface Member {
  name: string
  content: Buffer
}

/** Bytes of all members together, and number of members. */
const MAX_BYTES = 1024 ** 3
const MAX_MEMBERS = 10_000
const STORED = 0
const DEFLATED = 8
/** Mark and length of the end of a zip without its comment, whose length comes last (APPNOTE 4.3.16). */
const END = Buffer.from('PK\x05\x06', 'latin1')
const END_LENGTH = 22

/** Reads all members of a zip. @throws Refusal if it is encrypted, damaged, or too large */
export async function readMembers(zip: Buffer): Promise<Member[]> {
  // Encrypted Office documents are compound files.
  if (zip.subarray(0, 4).toString('hex') === 'd0cf11e0') throw locked()
  try {
    return await membersOf(withoutAppendix(zip))
  } catch (error) {
    throw error instanceof Refusal ? error : damaged()
  }
}

async function membersOf(zip: Buffer): Promise<Member[]> {
  const directory = await fromBufferPromise(zip, { decodeStrings: false, validateEntrySizes: false })
  if (directory.entryCount > MAX_MEMBERS) throw tooLarge()
  const members: Member[] = []
  let left = MAX_BYTES
  for await (const entry of directory.eachEntry()) {
    if (entry.isEncrypted()) throw locked()
    if (entry.uncompressedSize > left) throw tooLarge()
    left -= entry.uncompressedSize
    const { fileDataStart: start } = await directory.readLocalFileHeaderPromise(entry, { minimal: true })
    const content = contentOf(entry, zip.subarray(start, start + entry.compressedSize))
    const name = entry.fileNameRaw.toString('utf8')
    if (!name.endsWith('/')) members.push({ name, content })
  }
  return members
}

/** The content of a member. It must have exactly the size that the directory says. */
function contentOf({ compressionMethod: method, uncompressedSize: size }: Entry, bytes: Buffer): Buffer {
  if (method !== STORED && method !== DEFLATED) throw damaged()
  const content = method === STORED ? bytes : inflateRawSync(bytes, { maxOutputLength: Math.max(size, 1) })
  if (content.length !== size) throw damaged()
  return content
}

/** Some programs append bytes to a zip, which yauzl refuses. */
function withoutAppendix(zip: Buffer): Buffer {
  const end = zip.lastIndexOf(END) + END_LENGTH
  return end < END_LENGTH || end > zip.length ? zip : zip.subarray(0, end + zip.readUInt16LE(end - 2))
}

export const locked = () => new Refusal('The document asks for a password', 'ENCRYPTED_INPUT')
const damaged = () => new Refusal('The document is damaged')
const tooLarge = () => new Refusal('The document contains more than 1 GB or 10,000 files', 'RESOURCE_LIMIT')
