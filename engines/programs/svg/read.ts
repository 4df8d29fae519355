import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { refuse } from '../refusal/refusal.ts'

/** Most bytes of a decompressed drawing. */
const LIMIT = 64 * 2 ** 20

/** Reads a drawing, decompressed if necessary. */
export function read(path: string): Buffer {
  const bytes = readFileSync(path)
  const document = bytes[0] === 0x1f && bytes[1] === 0x8b ? unpacked(bytes) : bytes
  if (document.length > LIMIT) refuse('The drawing is larger than 64 MiB of SVG', 'RESOURCE_LIMIT')
  if (!/<(\w+:)?svg[\s>]/.test(document.toString('latin1', 0, 2 ** 16).replaceAll('\0', '')))
    refuse('The drawing is not SVG')
  return document
}

/**
 * Reads a drawing for SVGO. Refuses long declarations: its parser takes time that grows with the square of their
 * length.
 */
export function readText(path: string): string {
  const text = read(path).toString()
  const declarations = text.match(/<!(?!--|\[CDATA\[|DOCTYPE)[^>]*/gi) ?? []
  if (declarations.some(({ length }) => length > 10_000)) refuse('The drawing is not well-formed')
  return text
}

function unpacked(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: LIMIT })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      refuse('The drawing is larger than 64 MiB of SVG', 'RESOURCE_LIMIT')
    return refuse('The drawing is damaged')
  }
}
