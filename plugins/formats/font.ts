import type { Look } from '../../kernel/contract.ts'
import { font } from './refusals.ts'

/** Whether a file starts with the table directory of a TrueType font (OpenType, "Organization of an OpenType font"). */
export function isTableDirectory(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!/^(\0\x01\0\0|true)\0$/.test(head.toString('latin1', 0, 5)) || head.length < 28) return false
  const tables = head.readUInt16BE(4)
  return tables >= 1 && tables <= 128 && /^[ -~]{4}$/.test(head.toString('latin1', 12, 16))
}

/** Refuses fonts, which no bundled category converts by default. */
export const tableDirectory: Look = ({ head }) => (isTableDirectory(head) ? font : undefined)
