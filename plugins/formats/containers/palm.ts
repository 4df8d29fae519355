import type { Look } from '../../../kernel/contract.ts'
import { unsupported } from '../refusals.ts'

/**
 * Kindle formats that nobody but Kindle reads: Topaz, and that of 2015. Locked ones are known as such when converted.
 */
export const kindle: Look = ({ head }) => {
  const start = head.toString('latin1', 0, 8)
  if (start === '\xeaDRMION\xee') return 'azw3'
  if (/^TPZ[0-9]/.test(start)) return head.includes('dkey') ? 'azw3' : unsupported('Topaz')
  return /^CONT[\x01\x02]\0/.test(start) ? unsupported('KFX') : undefined
}

/** Type and creator of Palm databases that contain a book. */
const BOOKS = /^(BOOKMOBI|TEXtREAd|TEXtTl|PN[RP]dPPrs|zTXTGPlm|DataPlkr|BDOC|SDocSilX|ToGo)/

/** Whether a file may be a Palm database with a book. */
export const isPalm = (head: Buffer) => BOOKS.test(head.toString('latin1', 60, 68))

/** Identifies the book in a Palm database: Mobipocket by the version in its first record. */
export const palmBook: Look = async (file, hint) => {
  const kind = file.head.toString('latin1', 60, 68)
  if (kind !== 'BOOKMOBI') return hint === 'prc' && kind === 'TEXtREAd' ? 'prc' : 'pdb'
  const record = await file.read(file.head.readUInt32BE(78), 40)
  const version = record.length === 40 && record.toString('latin1', 16, 20) === 'MOBI' ? record.readUInt32BE(36) : 0
  if (version >= 8) return 'azw3'
  return hint === 'prc' ? 'prc' : 'mobi'
}
