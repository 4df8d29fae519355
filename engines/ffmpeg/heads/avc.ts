import { plainIf } from './boxes.ts'

/** What a sequence parameter set of H.264 tells. */
export interface Sequence {
  width: number
  height: number
  pixels: 'yuv420p' | 'yuvj420p'
  level: number
  /** Pictures per second as a fraction, if it tells any. */
  rate: readonly [number, number] | undefined
}

/** Baseline, main and high. The chroma of others differs, or they are interlaced. */
const PROFILES = [66, 77, 100]
/** Transfer functions of high dynamic range: SMPTE ST 2084, ARIB STD-B67. */
export const HDR = [16, 18]

/**
 * Reads the decoder configuration of an H.264 track (ISO 14496-15, ITU-T H.264 §7.3.2.1).
 *
 * @throws NotPlain unless it has one parameter set: of progressive frames, 4:2:0, 8 bits, with square pixels
 */
export function readAvc(avcc: Buffer): Sequence {
  plainIf(avcc.length > 9 && avcc[0] === 1 && (avcc[5]! & 31) === 1)
  const length = avcc.readUInt16BE(6)
  plainIf(length > 4 && 8 + length <= avcc.length && avcc[8] === 0x67)
  const [profile, constraints, level] = [avcc[9]!, avcc[10]!, avcc[11]!]
  // Level 1b is coded as 1.1 with a constraint.
  plainIf(PROFILES.includes(profile) && level > 11 && !(profile === 66 && !(constraints & 0x40)))
  const bits = reader(Buffer.from(avcc.toString('latin1', 12, 8 + length).replaceAll('\0\0\x03', '\0\0'), 'latin1'))
  bits.golomb()
  if (profile === 100) {
    plainIf(bits.golomb() === 1 && bits.golomb() === 0 && bits.golomb() === 0)
    // Neither lossless nor scaling lists.
    plainIf(bits.read(1) === 0 && bits.read(1) === 0)
  }
  bits.golomb()
  const order = bits.golomb()
  plainIf(order === 0 || order === 2)
  if (order === 0) bits.golomb()
  bits.golomb()
  bits.read(1)
  const [across, down] = [bits.golomb() + 1, bits.golomb() + 1]
  plainIf(bits.read(1) === 1)
  bits.read(1)
  const [left, right, top, bottom] = bits.read(1) ? Array.from({ length: 4 }, bits.golomb) : [0, 0, 0, 0]
  const { full, rate } = bits.read(1) ? usability(bits) : { full: false, rate: undefined }
  return {
    width: across * 16 - 2 * (left! + right!),
    height: down * 16 - 2 * (top! + bottom!),
    ...{ pixels: full ? 'yuvj420p' : 'yuv420p', level, rate },
  }
}

/** Video usability information (ITU-T H.264 §E.1.1). */
function usability(bits: Bits): { full: boolean; rate: Sequence['rate'] } {
  // Square pixels, or unspecified.
  if (bits.read(1)) plainIf(bits.read(8) <= 1)
  if (bits.read(1)) bits.read(1)
  let full = false
  if (bits.read(1)) {
    bits.read(3)
    full = bits.read(1) === 1
    if (bits.read(1)) {
      const [, transfer, matrix] = Array.from({ length: 3 }, () => bits.read(8))
      // Matrix 0 is RGB.
      plainIf(!HDR.includes(transfer!) && matrix !== 0)
    }
  }
  if (bits.read(1)) for (let n = 0; n < 2; n++) bits.golomb()
  const rate = bits.read(1) ? timing(bits) : undefined
  // Buffering parameters come before the flag of pictures that are fields, which files without them rarely have.
  plainIf(bits.read(1) === 0 && bits.read(1) === 0 && bits.read(1) === 0)
  return { full, rate }
}

function timing(bits: Bits): readonly [number, number] {
  const [ticks, scale] = [bits.read(32), bits.read(32)]
  bits.read(1)
  return [scale, 2 * ticks]
}

type Bits = ReturnType<typeof reader>

/** Reads bits, the highest of each byte first, and numbers in Exp-Golomb code (ITU-T H.264 §9.1). */
function reader(bytes: Buffer) {
  let at = 0
  function read(count: number): number {
    let value = 0
    for (let n = 0; n < count; n++, at++) {
      plainIf(at < bytes.length * 8)
      value = value * 2 + ((bytes[at >> 3]! >> (7 - (at & 7))) & 1)
    }
    return value
  }
  function golomb(): number {
    let zeros = 0
    while (read(1) === 0) plainIf(++zeros < 32)
    return 2 ** zeros - 1 + read(zeros)
  }
  return { read, golomb }
}
