import { open } from 'node:fs/promises'

/** Bytes at the start and at the end of a file that are searched for the description of its tracks. */
const window = 1024 * 1024

/**
 * Durations of the frames of an AVIF sequence in milliseconds, from the time-to-sample table of its first track
 * (ISO/IEC 14496-12, 8.4.2 and 8.6.1.2). Empty if it cannot be read.
 */
export async function avifDelays(path: string): Promise<number[]> {
  await using file = await open(path)
  const { size } = await file.stat()
  for (const at of [0, Math.max(0, size - window)]) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(window), 0, window, at)
    const delays = delaysIn(buffer.subarray(0, bytesRead))
    if (delays.length > 0) return delays
  }
  return []
}

function delaysIn(bytes: Buffer): number[] {
  const header = bytes.indexOf('mdhd')
  const table = bytes.indexOf('stts', header)
  if (header < 0 || table < 0 || table + 12 > bytes.length) return []
  // Version 1 has two 64-bit times before the timescale.
  const scale = bytes.readUInt32BE(header + (bytes[header + 4] === 1 ? 24 : 16))
  const delays: number[] = []
  for (let left = bytes.readUInt32BE(table + 8), at = table + 12; left > 0 && at + 8 <= bytes.length; left--, at += 8) {
    const milliseconds = Math.round((bytes.readUInt32BE(at + 4) * 1000) / (scale || 1000))
    const frames = Math.min(bytes.readUInt32BE(at), 100_000 - delays.length)
    for (let frame = 0; frame < frames; frame++) delays.push(milliseconds)
  }
  return delays
}
