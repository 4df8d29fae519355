import { isUtf8 } from 'node:buffer'
import { charsetNamed, charsetOfText, decodeBy } from './charset.ts'

/** Bytes that are searched for a declared character set. */
const HEAD = 4096

/** Decodes a text: by its byte order mark, as valid UTF-8, as it declares itself, or by a guess. */
export function decoded(bytes: Buffer): string {
  const wide = wideOf(bytes)
  if (wide) return new TextDecoder(wide).decode(bytes)
  if (isUtf8(bytes)) return new TextDecoder(hasEscapes(bytes) ? 'iso-2022-jp' : 'utf-8').decode(bytes)
  return declared(bytes) ?? decodeBy(charsetOfText(bytes), bytes)
}

/** UTF-16, by its mark, or by zeros in every other byte of the head. */
function wideOf(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const head = bytes.subarray(0, HEAD)
  const zeros = [0, 1].map((odd) => head.filter((byte, at) => byte === 0 && at % 2 === odd).length)
  const [even, odd] = zeros as [number, number]
  if (Math.max(even, odd) < head.length / 4 || Math.min(even, odd) > head.length / 100) return undefined
  return odd > even ? 'utf-16le' : 'utf-16be'
}

/** The escapes of ISO-2022-JP, whose other bytes are ASCII (RFC 1468). */
const hasEscapes = (bytes: Buffer) => bytes.includes('\x1b$B') || bytes.includes('\x1b$@')

/** How texts declare their set: XML, HTML, CSS, LaTeX, editors. */
const DECLARATIONS = [
  /<\?xml[^>]{0,200}encoding=["']([\w.:-]+)/i,
  /<meta[^>]{0,200}charset=["']?\s*([\w.:-]+)/i,
  /^\s*@charset\s+"([\w.:-]+)"/i,
  /^[^%\n]*\\usepackage\s*\[(?:[^\]]{0,100},)?\s*([\w-]+)\s*\]\s*\{(?:[\w,\s-]{0,100},)?inputenc\b/m,
  /^[^%\n]*\\(?:inputencoding|usepackage\[encoding=)\{?([\w-]+)/m,
  /^\s*%\s*!TEX\s+encoding\s*=\s*([\w-]+)/im,
  /^.{0,100}(?:coding|fileencoding|\bfenc)[:=]\s*([\w.-]+)/m,
]

function declared(bytes: Buffer): string | undefined {
  const head = bytes.toString('latin1', 0, HEAD)
  for (const pattern of DECLARATIONS) {
    const label = pattern.exec(head)?.[1]
    const name = label && charsetNamed(label)
    // A text that declares UTF-8, but is not valid, was probably put into a UTF-8 page.
    if (name && !/^utf-/.test(name)) return decodeBy(name, bytes)
  }
  return undefined
}
