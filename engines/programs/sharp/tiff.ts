import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { Refusal } from '../refusal/refusal.ts'

/**
 * Joins TIFF files of one page each, as libtiff writes them (little-endian, classic), into one (TIFF 6.0, section 2).
 * Appends each file as a whole, with its offsets moved by its position, and links its directory to the one before.
 * Pages may differ in every respect. The source files are changed.
 *
 * libvips writes several pages of one size and kind only, and libtiff's tiffcp drops XMP and IPTC.
 */
export async function joinTiffs(files: readonly string[], output: string): Promise<void> {
  let base = 0
  const directories: { at: number; next: number }[] = []
  for (const file of files) {
    const handle = await open(file, 'r+')
    try {
      const { directory, next } = await moved(handle, base)
      directories.push({ at: base + directory, next: base + next })
    } finally {
      await handle.close()
    }
    await pipeline(createReadStream(file), createWriteStream(output, base === 0 ? {} : { flags: 'a' }))
    // Directories begin on a word boundary.
    base += (await stat(file)).size + 1
    base -= base % 2
    if (base > 0xffff_ffff)
      throw new Refusal('The pages together are larger than 4 GB, the limit of tif', 'RESOURCE_LIMIT')
    await pad(output, base)
  }
  const result = await open(output, 'r+')
  try {
    for (const [index, { next }] of directories.slice(0, -1).entries())
      await result.write(word(directories[index + 1]!.at), 0, 4, next)
  } finally {
    await result.close()
  }
}

/** Bytes per value for each TIFF type, from 1 (BYTE) to 13 (IFD). */
const sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]
/** Tags whose values are offsets: StripOffsets, TileOffsets. libvips writes none of those that name directories. */
const places = [273, 324]

/** Moves all offsets of a file by `base`. Returns the offsets of its directory and of the link to the next one. */
async function moved(file: FileHandle, base: number): Promise<{ directory: number; next: number }> {
  const header = await bytes(file, 0, 8)
  if (header.toString('latin1', 0, 2) !== 'II' || header.readUInt16LE(2) !== 42) throw new Error('no classic TIFF')
  const directory = header.readUInt32LE(4)
  const count = (await bytes(file, directory, 2)).readUInt16LE(0)
  const entries = await bytes(file, directory + 2, count * 12)
  for (let at = 0; at < entries.length; at += 12) {
    const tag = entries.readUInt16LE(at)
    const type = entries.readUInt16LE(at + 2)
    const values = entries.readUInt32LE(at + 4)
    const length = values * (sizes[type] ?? 1)
    const outside = length > 4
    const start = outside ? entries.readUInt32LE(at + 8) : directory + 2 + at + 8
    if (places.includes(tag)) {
      if (sizes[type] !== 4) throw new Error('TIFF offsets of an unexpected type')
      const list = await bytes(file, start, length)
      for (let i = 0; i < length; i += 4) list.writeUInt32LE(list.readUInt32LE(i) + base, i)
      await file.write(list, 0, length, start)
    }
    if (outside) await file.write(word(start + base), 0, 4, directory + 2 + at + 8)
  }
  return { directory, next: directory + 2 + count * 12 }
}

async function bytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  if (bytesRead !== length) throw new Error('short TIFF')
  return buffer
}

function word(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32LE(value)
  return buffer
}

async function pad(file: string, size: number): Promise<void> {
  const handle = await open(file, 'r+')
  await handle.truncate(size)
  await handle.close()
}
