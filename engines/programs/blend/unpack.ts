import { gunzipSync, zstdDecompressSync } from 'node:zlib'

/** Bytes that a packed scene may have. */
const LIMIT = 1 << 30

/** The end of a seek table (Zstandard seekable format 0.1.0): count of frames, flags, this number. */
const [FOOTER, SEEKABLE, CHECKED] = [9, 0x8f92eab1, 0x80]

/**
 * A scene as it is without compression: gzip until Blender 2.93, then Zstandard in many frames.
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

/** Node reads one frame at a time; where each ends, a table at the end of the file says. */
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
