/** Control characters, except tab, line ends, form feed, backspace, escape and the DOS end of file: texts use those. */
const CONTROLS = /[\0-\x07\x0b\x0e-\x19\x1c-\x1f\x7f]/g

/**
 * Decodes the head as text; undefined if it is not text. Tries the byte order mark, the zeros of UTF-16, UTF-8, and the
 * 8-bit and East Asian sets. Letters of these sets do not matter here and come out as Latin-1.
 * `whole`: nothing follows the head, so a character cut off at the end is an error.
 */
export function decodeText(head: Buffer, whole: boolean): string | undefined {
  if (head[0] === 0xff && head[1] === 0xfe && head[2] === 0 && head[3] === 0) return utf32(head, 0)
  if (head[0] === 0 && head[1] === 0 && head[2] === 0xfe && head[3] === 0xff) return utf32(head, 3)
  if (head[0] === 0xff && head[1] === 0xfe) return utf16(head.subarray(2), 'utf-16le')
  if (head[0] === 0xfe && head[1] === 0xff) return utf16(head.subarray(2), 'utf-16be')
  if (head.includes(0)) return unmarkedUtf16(head)
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: !whole })
    return isClean(text) ? text : undefined
  } catch {
    return legacy(head)
  }
}

/** One control character in a thousand may be a slip; with more, the bytes are not text. */
const isClean = (text: string) => (text.match(CONTROLS)?.length ?? 0) <= text.length / 1000

/**
 * Decodes 8-bit and East Asian sets; undefined if there are control characters. One random byte in ten is one. Fewer
 * than 100 bytes may lack them by chance, so they must also be mostly ASCII, or have none of the bytes that the 8-bit
 * sets use for signs instead of letters.
 */
function legacy(head: Buffer): string | undefined {
  const text = head.toString('latin1')
  if (text.search(CONTROLS) >= 0) return undefined
  const ascii = text.match(/[\t\n\r -~]/g)?.length ?? 0
  const letters = head.length >= 16 && !/[\x80-\xbf]/.test(text)
  return head.length >= 100 || letters || (head.length >= 8 && ascii >= head.length * 0.7) ? text : undefined
}

/** Decodes bytes whose name says that they are text, as Latin-1; undefined if there are control characters. */
export function namedText(head: Buffer): string | undefined {
  const text = head.toString('latin1')
  return text.search(CONTROLS) < 0 ? text : undefined
}

function unmarkedUtf16(head: Buffer): string | undefined {
  let even = 0
  let odd = 0
  for (let i = 0; i + 1 < head.length; i += 2) {
    if (head[i] === 0) even++
    if (head[i + 1] === 0) odd++
  }
  const pairs = Math.floor(head.length / 2)
  if (odd > pairs * 0.5 && even < pairs * 0.02) return utf16(head, 'utf-16le')
  if (even > pairs * 0.5 && odd < pairs * 0.02) return utf16(head, 'utf-16be')
  return undefined
}

/** Random bytes decoded as UTF-16 are full of private, unpaired and unassigned characters; text is not. */
function utf16(bytes: Buffer, encoding: string): string | undefined {
  const text = new TextDecoder(encoding).decode(bytes.subarray(0, bytes.length & ~1))
  const odd = text.match(/[\ue000-\uf8ff\ufffd\ufdd0-\ufdef\uffff]/g)?.length ?? 0
  return odd <= text.length / 200 && isClean(text) ? text : undefined
}

function utf32(head: Buffer, lowest: number): string | undefined {
  const units = Buffer.from(head.subarray(4)).filter((_, index) => index % 4 === lowest)
  const text = Buffer.from(units).toString('latin1')
  return isClean(text) ? text : undefined
}
