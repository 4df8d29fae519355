import type { Look } from '../../kernel/contract.ts'
import { font } from './refusals.ts'

/** Refuses fonts, by their table directory (OpenType, "Organization of an OpenType font"). */
export const tableDirectory: Look = ({ head }) => {
  if (head.toString('latin1', 0, 5) !== '\0\x01\0\0\0' || head.length < 28) return undefined
  const tables = head.readUInt16BE(4)
  return tables >= 1 && tables <= 128 && /^[ -~]{4}$/.test(head.toString('latin1', 12, 16)) ? font : undefined
}
