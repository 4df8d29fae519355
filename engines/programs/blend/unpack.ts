import { gunzipSync, zstdDecompressSync } from 'node:zlib'

/** Most bytes of a decompressed scene. */
const LIMIT = 1 << 30

/** Magic number at the end of a seek table, after the number of frames and flags (Zstandard seekable format 0.1.0). */
const FOOTER = 9
const SEEKABLE = 0x8f92eab1
const CHECKED = 0x80

/**
 * Decompresses a scene: gzip until Blender 2.93, then Zstandard with many frames.
 *
 * @throws Error with the code `ERR_BUFFER_TOO_LARGE` for more than 1 GiB
 */
export function unpacked(bytes: Buffer): Buffer {
  const options = { maxOutputLength: LIMIT }
  const magic = bytes.toString('hex', 0, 4)
  if (magic.startsWith('1f8b')) return gunzipSync(bytes, options)
  if (magic !== '28b52ffd') return bytes
  const parts: Buffer[] = []
  let left = LIMIT
  for (const frame of frames(bytes)) {
    const part = zstdDecompressSync(frame, { maxOutputLength: left })
    left -= part.length
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Node decompresses one frame at a time. A table at the end of the file contains their sizes. */
function frames(bytes: Buffer): Buffer[] {
  const footer = bytes.length - FOOTER
  if (bytes.readUInt32LE(footer + 5) !== SEEKABLE) return [bytes]
  const count = bytes.readUInt32LE(footer)
  const entry = bytes[footer + 4]! & CHECKED ? 12 : 8
  const table = footer - count * entry
  let start = 0
  return Array.from({ length: count }, (_, index) => {
    const end = start + bytes.readUInt32LE(table + index * entry)
    const frame = bytes.subarray(start, end)
    start = end
    return frame
  })
}
