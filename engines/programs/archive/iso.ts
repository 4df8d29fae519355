import type { FileHandle } from 'node:fs/promises'

/** Bytes per sector, and the first sector of the volume descriptors (ECMA-119 §6.2, ECMA-167 2/8). */
const SECTOR = 2048
const FIRST = 16
/** Sectors of volume descriptors that are read. */
const DESCRIPTORS = 32
/** Sectors of padding that drives may leave out when they copy a disc. */
const PADDING = 16
/** Start of a root folder with Rock Ridge extensions: long names and Unix modes (SUSP §5.3). */
const ROCK_RIDGE = Buffer.from('SP\x07\x01\xbe\xef', 'latin1')

/**
 * Whether a disc image must be read as UDF. As ISO 9660, such an image shows only a note to that effect, or the same
 * files under short names.
 */
export async function isUdf(file: FileHandle): Promise<boolean> {
  const descriptors = await bytesAt(file, FIRST * SECTOR, DESCRIPTORS * SECTOR)
  let udf = false
  for (let at = 0; at + SECTOR <= descriptors.length; at += SECTOR)
    udf ||= /^NSR0[23]$/.test(descriptors.toString('latin1', at + 1, at + 6))
  if (!udf) return false
  if (descriptors.toString('latin1', 1, 6) !== 'CD001') return true
  // The primary descriptor contains the place of the root folder.
  const root = await bytesAt(file, descriptors.readUInt32LE(156 + 2) * SECTOR, SECTOR)
  return !root.includes(ROCK_RIDGE)
}

/** Whether a disc image is shorter than its primary descriptor says (ECMA-119 §8.4.8). */
export async function isCutOff(file: FileHandle): Promise<boolean> {
  const primary = await bytesAt(file, FIRST * SECTOR, SECTOR)
  if (primary.length < SECTOR || primary.toString('latin1', 0, 6) !== '\x01CD001') return false
  return (primary.readUInt32LE(80) - PADDING) * SECTOR > (await file.stat()).size
}

/** Reads a piece of a file. It is shorter at the end. */
export async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}
