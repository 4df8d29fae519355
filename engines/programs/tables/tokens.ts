import { closeSync, openSync, readSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'

/** A tag, or text between tags. Long texts come in several parts. */
export type Token = { tag: string; text?: undefined } | { tag?: undefined; text: string }

/** Bytes that are read at once. */
const BLOCK = 1 << 20

/** The tags and texts of an XML file of any size. Comments and instructions are left out. */
export function* tokensIn(path: string): Generator<Token> {
  const file = openSync(path, 'r')
  const decoder = new StringDecoder('utf8')
  const buffer = Buffer.alloc(BLOCK)
  let rest = ''
  try {
    for (let count = readSync(file, buffer); count > 0; count = readSync(file, buffer)) {
      const text = rest + decoder.write(buffer.subarray(0, count))
      let at = 0
      while (at < text.length) {
        const start = text.indexOf('<', at)
        if (start !== at) yield { text: text.slice(at, start < 0 ? undefined : start) }
        const end = start < 0 ? text.length : text.indexOf('>', start) + 1
        if (end === 0) {
          at = start
          break
        }
        if (start >= 0 && !'!?'.includes(text[start + 1]!)) yield { tag: text.slice(start, end) }
        at = end
      }
      rest = text.slice(at)
    }
  } finally {
    closeSync(file)
  }
}
