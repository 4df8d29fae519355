import { refuse } from '../refusal/refusal.ts'

/** What the headers of a picture say (ITU-T T.81, annex B; T.87, annex C). */
export interface Frame {
  width: number
  height: number
  bits: number
  components: number
  /** DICOM's number of the compression, the end of a transfer syntax. */
  syntax: number
  /** JPEG-LS: colours alternate pixel by pixel. */
  interleaved: boolean
  /** Luma and chroma instead of red, green and blue. */
  chroma: boolean
}

type Size = Pick<Frame, 'width' | 'height' | 'bits' | 'components'> & { marker: number; letters: string }

const LS = 0xfff7
const LOSSLESS = 0xffc3
/** JPEG of 12 bits, sequential or progressive, and lossless JPEG: their numbers in DICOM. */
const SYNTAXES = new Map([
  [0xffc1, 51],
  [0xffc2, 55],
  [LOSSLESS, 57],
])

/** Reads the headers of JPEG-LS, or of a JPEG that has 12 bits or is lossless. Refuses other files. */
export function frameOf(bytes: Buffer): Frame {
  let size: Size | undefined
  let adobe: number | undefined
  for (let at = 2; at + 12 < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt16BE(at)
    if (marker === LS || SYNTAXES.has(marker)) size = sizeOf(bytes, at, marker)
    if (marker === 0xffee && bytes.toString('latin1', at + 4, at + 9) === 'Adobe') adobe = bytes[at + 15]
    if (marker === 0xffda) return size ? frame(bytes, at, size, adobe) : refuseHeaders()
  }
  return refuseHeaders()
}

const sizeOf = (bytes: Buffer, at: number, marker: number): Size => ({
  marker,
  bits: bytes[at + 4]!,
  height: bytes.readUInt16BE(at + 5),
  width: bytes.readUInt16BE(at + 7),
  components: bytes[at + 9]!,
  letters: String.fromCharCode(...[0, 1, 2].map((index) => bytes[at + 10 + 3 * index] ?? 0)),
})

function frame(bytes: Buffer, scan: number, { marker, letters, ...size }: Size, adobe: number | undefined): Frame {
  const after = scan + 5 + 2 * bytes[scan + 4]!
  if (after + 1 >= bytes.length) return refuseHeaders()
  const colours = size.components > 1
  if (marker === LS) {
    const lossless = bytes[after] === 0
    return { ...size, syntax: lossless ? 80 : 81, interleaved: colours && bytes[after + 1] === 2, chroma: false }
  }
  // The first decoder reads lossy ones of 8 bits, unless they are damaged. FFmpeg writes 9 bits, and differences of
  // colours.
  if (size.bits === (marker === LOSSLESS ? 9 : 8)) return refuseHeaders()
  const chroma = colours && (adobe === undefined ? marker !== LOSSLESS && letters !== 'RGB' : adobe === 1)
  return { ...size, syntax: SYNTAXES.get(marker)!, interleaved: false, chroma }
}

const refuseHeaders = () => refuse('The JPEG is damaged, or of a kind that cannot be read')
