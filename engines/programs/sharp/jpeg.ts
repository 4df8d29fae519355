/** What a JPEG says about its samples (ITU-T T.81, B.2.2), and its bytes without some of its segments. */
export interface Jpeg {
  /** Whether every reader of PDF knows its process: baseline or progressive Huffman coding of 8 bits. */
  usual: boolean
  components: number
  /** Whether Adobe's segment is there: its inks are stored as the light that they let through. */
  adobe: boolean
  /** Whether its components are red, green and blue, which nothing but their names tells. */
  named: boolean
  bytes: Buffer[]
}

const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda
const COMMENT = 0xfe
const APP0 = 0xe0
const APP15 = 0xef
const ICC = 0xe2
const ADOBE = 0xee
const processes = [0xc0, 0xc1, 0xc2]
/** Markers without a length: restarts, and the start of the file. */
const bare = (marker: number) => (marker >= 0xd0 && marker <= SOI) || marker === 0x01

/**
 * Reads a JPEG up to its end; phones put films behind it. Leaves out the colour profile and, with `strip`, all other
 * metadata. Undefined for a damaged file.
 */
export function readJpeg(file: Buffer, strip: boolean): Jpeg | undefined {
  const bytes = [file.subarray(0, 2)]
  const jpeg: Jpeg = { usual: false, components: 0, adobe: false, named: false, bytes }
  for (let at = 2; ; ) {
    while (file[at] === 0xff && file[at + 1] === 0xff) at++
    const marker = file[at + 1]
    if (file[at] !== 0xff || marker === undefined) return undefined
    if (marker === EOI) {
      bytes.push(file.subarray(at, at + 2))
      return jpeg.components > 0 ? jpeg : undefined
    }
    if (at + 4 > file.length) return undefined
    let end = bare(marker) ? at + 2 : at + 2 + file.readUInt16BE(at + 2)
    if (end > file.length) return undefined
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) frame(jpeg, marker, file, at, end)
    if (marker === ADOBE && file.toString('latin1', at + 4, at + 9) === 'Adobe') jpeg.adobe = true
    if (marker === SOS) end = afterScan(file, end)
    if (isKept(marker, strip)) bytes.push(file.subarray(at, end))
    at = end
  }
}

function frame(jpeg: Jpeg, marker: number, file: Buffer, at: number, end: number): void {
  jpeg.usual = processes.includes(marker) && file[at + 4] === 8
  jpeg.components = file[at + 9] ?? 0
  const names = Array.from({ length: jpeg.components }, (_, index) => file[at + 10 + index * 3])
  jpeg.named = end <= file.length && String.fromCharCode(...names.map((name) => name ?? 0)) === 'RGB'
}

/** Coded data ends at the first marker that is no restart. */
function afterScan(file: Buffer, from: number): number {
  for (let at = from; ; ) {
    at = file.indexOf(0xff, at)
    if (at < 0) return file.length
    const next = file[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at
    at += next === 0xff ? 1 : 2
  }
}

function isKept(marker: number, strip: boolean): boolean {
  if (marker === ICC) return false
  const tells = marker === COMMENT || (marker > APP0 && marker <= APP15 && marker !== ADOBE)
  return !(strip && tells)
}
