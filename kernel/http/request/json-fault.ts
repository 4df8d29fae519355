import { isUtf8 } from 'node:buffer'
import { visit } from 'jsonc-parser'

/** Faults are searched in the first bytes only: this parser is many times slower than `JSON.parse`, and blocks. */
const MAX_SEARCHED_BYTES = 64 * 1024

/** Says where the first fault of a JSON text is, as the rest of a sentence. Positions count characters from 0. */
export function faultIn(bytes: Buffer): string {
  if (!isUtf8(bytes)) return ''
  const text = bytes.toString('utf8', 0, MAX_SEARCHED_BYTES)
  const fault = firstFaultOf(text)
  if (!fault) return ''
  const { offset, length } = fault
  // The cut can have made it.
  if (bytes.length > MAX_SEARCHED_BYTES && offset + length >= text.length) return ''
  if (offset >= text.trimEnd().length) return `: it ends too early, at position ${offset}`
  return `: unexpected ${JSON.stringify(text.slice(offset, offset + Math.min(length, 20)))} at position ${offset}`
}

interface Fault {
  offset: number
  length: number
}

function firstFaultOf(text: string): Fault | undefined {
  const faults: Fault[] = []
  const onError = (_code: unknown, offset: number, length: number) => {
    faults.push({ offset, length })
    throw new Error('found')
  }
  try {
    visit(text, { onError }, { disallowComments: true })
  } catch {
    // Found, or the text is nested too deep for this parser.
  }
  return faults[0]
}
