import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { readerOf } from './looks.ts'
import { FILE, rarBlocks } from './rar.ts'

/** Bytes added behind the data of a file. */
const PADDING = Buffer.alloc(4)
/** The first version of the compression that needs none, and the method of data that are not compressed. */
const [NEWER, STORED] = [20, 0x30]
/** Bytes of a file's header before its name. */
const FIXED = 32

/**
 * Writes a copy of a RAR in which zeros follow the data that RAR 1.5 compressed. unar reads beyond their end. Returns
 * whether there are any.
 */
export async function padRar(input: string, copy: string): Promise<boolean> {
  await using file = await open(input)
  await using target = await open(copy, 'w')
  const readAt = readerOf(file)
  let done = 0
  const take = async (end: number) => {
    if (end > done)
      for await (const piece of createReadStream(input, { start: done, end: end - 1 })) await target.write(piece)
    done = end
  }
  let padded = false
  for await (const { at, type, flags, size, data } of rarBlocks(readAt)) {
    if (type !== FILE || data === 0 || size < FIXED) continue
    const header = await readAt(at, size)
    if (header.length < size || header[24]! >= NEWER || header[25] === STORED) continue
    header.writeUInt32LE(data + PADDING.length, 7)
    // A comment behind the name has a checksum of its own.
    const covered = flags & 8 ? FIXED + header.readUInt16LE(26) : size
    header.writeUInt16LE(crc32(header.subarray(2, covered)) & 0xffff, 0)
    await take(at)
    await target.write(header)
    done = at + size
    await take(done + data)
    await target.write(PADDING)
    padded = true
  }
  await take((await file.stat()).size)
  return padded
}
