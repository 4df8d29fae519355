import { open, readFile, stat } from 'node:fs/promises'
import { Refusal } from '../refusal/refusal.ts'
import { chunks } from './png.ts'

/** Largest GIF that is checked, in bytes. */
const max = 256 * 1024 * 1024

/**
 * Refuses truncated animations, of which libvips would return the frames that it finds. A GIF without a trailer is
 * accepted if its last frame is complete, as in browsers.
 */
export async function refuseTruncated(file: string, format: string): Promise<void> {
  const whole = format === 'gif' ? await wholeGif(file) : format === 'apng' ? await wholePng(file) : true
  if (!whole) throw new Refusal('The animation is incomplete: the file ends in the middle of a frame')
}

/** Iterates over the blocks of a GIF (GIF89a, 11 to 27). */
async function wholeGif(path: string): Promise<boolean> {
  if ((await stat(path)).size > max) return true
  const file = await readFile(path)
  const table = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  let at = 13 + table(file[10] ?? 0)
  while (at < file.length) {
    const kind = file[at]
    if (kind === 0x21) at += 2
    else if (kind === 0x2c) at += 10 + table(file[at + 9] ?? 0) + 1
    // The trailer, or other data after it.
    else return true
    while (at < file.length && file[at] !== 0) at += file[at]! + 1
    at++
  }
  return at === file.length
}

async function wholePng(path: string): Promise<boolean> {
  await using file = await open(path)
  for await (const { type } of chunks(file)) if (type === 'IEND') return true
  return false
}
