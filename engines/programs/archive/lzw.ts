import type { ReadAt } from './looks.ts'

/** Bytes that are looked at in one piece, and of a file at most. */
const PIECE = 1024 ** 2
const MOST = 256 * 1024 ** 2
const LEAST_BITS = 9
const CLEAR = 256

/**
 * Whether what compress(1) wrote ends within a code. It writes neither a sum nor an end, so that this is all by which a
 * file that breaks off may be told: about two times in three.
 */
export async function endsWithinCode(readAt: ReadAt, size: number): Promise<boolean> {
  const flags = (await readAt(2, 1))[0] ?? 0
  const most = flags & 0x1f
  const clears = (flags & 0x80) !== 0
  if (most < LEAST_BITS || most > 16 || size > MOST) return false

  let width = LEAST_BITS
  let entries = clears ? CLEAR : CLEAR - 1
  /** Bits that were read but not used, and how many there are; codes since the width changed. */
  let [bits, count, codes] = [0, 0, 0]
  /** Bits to be passed over: codes are written in groups of eight. */
  let skip = 0
  const turn = (next: number) => {
    skip = ((8 - (codes % 8)) % 8) * width
    width = next
    codes = 0
  }

  for (let at = 3; at < size; at += PIECE)
    for (const byte of await readAt(at, PIECE)) {
      bits |= byte << count
      count += 8
      for (;;) {
        const passed = Math.min(skip, count)
        bits >>>= passed
        count -= passed
        skip -= passed
        if (skip > 0 || count < width) break
        const code = bits & ((1 << width) - 1)
        bits >>>= width
        count -= width
        codes++
        if (clears && code === CLEAR) {
          entries = CLEAR
          turn(LEAST_BITS)
        } else if (entries < 2 ** most && ++entries >= 2 ** width && width < most) turn(width + 1)
      }
    }
  return skip === 0 && (count >= 8 || bits !== 0)
}
