import type { Source, Text } from '../contract/format.ts'
import { decodeText, namedText } from './charset.ts'

/** How much of a text's end is looked at, in bytes. */
const TAIL = 4096

/** The beginning of a file as text; undefined when the bytes are not text. */
export async function readAsText(file: Source): Promise<Text | undefined> {
  const start = decodeText(file.head, file.size <= file.head.length)
  return start === undefined ? undefined : describe(file, start)
}

/**
 * A text among files that are none at first sight: one behind whose last line a program left zeros, or, where its name
 * says that it is text (`named`), a line or two in an 8-bit or East Asian set, too short to be told from other bytes.
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

/** Empty where it cannot be read: the beginning still says something. */
async function lastBytes(file: Source): Promise<string> {
  return (await file.read(file.size - TAIL, TAIL).catch(() => Buffer.alloc(0))).toString('latin1')
}

/** Whole, and more text than zeros. */
function padded({ head, size }: Source): string | undefined {
  const end = head.indexOf(0)
  const isPadded = size === head.length && end > size / 2 && head.subarray(end).every((byte) => byte === 0)
  return isPadded ? decodeText(head.subarray(0, end), true) : undefined
}
