import type { Source, Text } from '../contract/format.ts'
import { decodeText, namedText } from './charset.ts'

/** Bytes to read from the end of a text. */
const TAIL = 4096

/** Reads the beginning of a file as text; undefined if the bytes are not text. */
export async function readAsText(file: Source): Promise<Text | undefined> {
  const start = decodeText(file.head, file.size <= file.head.length)
  return start === undefined ? undefined : describe(file, start)
}

/**
 * Reads text that does not look like text at first: text with zeros after its last line; or, if its name says that it
 * is text (`named`), a line or two in an 8-bit or East Asian set, too short to tell from other bytes.
 */
export async function readOddText(file: Source, named: boolean): Promise<Text | undefined> {
  const start = padded(file) ?? (named ? namedText(file.head) : undefined)
  return start ? describe(file, start) : undefined
}

async function describe(file: Source, start: string): Promise<Text> {
  const whole = file.size <= file.head.length
  const body = start.replace(/^\ufeff/, '').trimStart()
  return { start, body, whole, tail: whole ? start : await lastBytes(file) }
}

/** Returns the end of a file; empty if it cannot be read, because the beginning is still useful. */
async function lastBytes(file: Source): Promise<string> {
  return (await file.read(file.size - TAIL, TAIL).catch(() => Buffer.alloc(0))).toString('latin1')
}

/** Decodes text followed only by zeros, if the head is the whole file and has more text than zeros. */
function padded({ head, size }: Source): string | undefined {
  const end = head.indexOf(0)
  const isPadded = size === head.length && end > size / 2 && head.subarray(end).every((byte) => byte === 0)
  return isPadded ? decodeText(head.subarray(0, end), true) : undefined
}
