/** Character sets of texts and names that do not declare theirs, and how their bytes are decoded. */
import { tables } from './letters.ts'
import { likeliest } from './likelihood.ts'

/** Bytes that a guess considers, and bytes of one line among those. */
const SAMPLE = 8192
const LINE = 1024
const LINE_END = Buffer.from('\n')

/** The most likely character set of a text that is not UTF-8. */
export function charsetOfText(bytes: Buffer): string {
  return likeliest(foreignLines(bytes), 'text')
}

/** The most likely character set of names that are not UTF-8. They all have the same one. */
export function charsetOfNames(names: readonly Buffer[]): string {
  return likeliest(foreignLines(Buffer.concat(names.flatMap((name) => [name, LINE_END]))), 'name')
}

/** The first lines with bytes that are not ASCII, at least in part. */
function foreignLines(bytes: Buffer): Buffer {
  const lines: Buffer[] = []
  let size = 0
  let at = 0
  let end = 0
  while (size < SAMPLE) {
    while (at < bytes.length && bytes[at]! < 128) at++
    if (at === bytes.length) break
    // No set of several bytes has a line end inside a character.
    const start = Math.max(bytes.lastIndexOf(10, at) + 1, at - LINE, end)
    const next = bytes.indexOf(10, at)
    end = Math.min(next < 0 ? bytes.length : next + 1, at + LINE)
    lines.push(bytes.subarray(start, end))
    size += end - start
    at = end
  }
  return Buffer.concat(lines)
}

/** Names that LaTeX and others have for sets, where the WHATWG Encoding Standard has none or another meaning. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  ansinew: 'windows-1252',
  applemac: 'macintosh',
  macroman: 'macintosh',
  macce: 'x-mac-ce',
  macintosh_ce: 'x-mac-ce',
  maccyr: 'x-mac-cyrillic',
  // LaTeX numbers the Latin sets, ISO 8859 its parts.
  latin5: 'iso-8859-9',
  latin7: 'iso-8859-13',
  latin9: 'iso-8859-15',
  latin10: 'iso-8859-16',
  utf8x: 'utf-8',
  utf8mb4: 'utf-8',
  bg5: 'big5',
  uhc: 'euc-kr',
  ibm874: 'windows-874',
  ibm932: 'shift_jis',
  ibm936: 'gbk',
  ibm949: 'euc-kr',
  ibm950: 'big5',
}

/** The name of a declared character set as `decodeBy` knows it; undefined if that knows none. */
export function charsetNamed(label: string): string | undefined {
  const said = label.trim().toLowerCase()
  const numbered = said.replace(/^(?:cp|ms|win|windows|ibm|oem|dos)-?(?=\d{3,4}$)/, (_, at) =>
    /125\d$/.test(said.slice(at)) ? 'windows-' : 'ibm',
  )
  const known = OTHER_NAMES[numbered] ?? numbered
  if (known in tables().sets) return known
  try {
    return new TextDecoder(known).encoding
  } catch {
    return undefined
  }
}

const units = (high: string) =>
  Uint16Array.from({ length: 256 }, (_, at) => (at < 128 ? at : high.charCodeAt(at - 128)))

/** Decodes bytes in a set that one of the functions above returned. Invalid bytes become U+FFFD. */
export function decodeBy(charset: string, bytes: Uint8Array): string {
  const high = tables().sets[charset]?.high
  if (high === undefined) return new TextDecoder(charset).decode(bytes)
  const table = units(high)
  return Buffer.from(Uint16Array.from(bytes, (byte) => table[byte]!).buffer).toString('utf16le')
}
