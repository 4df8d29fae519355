import type { ReadAt } from './looks.ts'

/** Bytes that are read at once, and the largest file that is checked. */
const PIECE = 1024 ** 2
const MOST = 256 * 1024 ** 2
const LEAST_BITS = 9
const CLEAR = 256

/**
 * Whether a file of compress(1) ends within a code. The format has neither a checksum nor an end mark, so this is the only
 * sign of a truncated file. It finds about two thirds of them.
 */
export async function endsWithinCode(readAt: ReadAt, size: number): Promise<boolean> {
  const flags = (await readAt(2, 1))[0] ?? 0
  const most = flags & 0x1f
  const clears = (flags & 0x80) !== 0
  if (most < LEAST_BITS || most > 16 || size > MOST) return false

  let width = LEAST_BITS
  let entries = clears ? CLEAR : CLEAR - 1
  /** Unused bits, their number, and the number of codes since the width changed. */
  let [bits, count, codes] = [0, 0, 0]
  /** Bits to skip: codes are written in groups of eight. */
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
