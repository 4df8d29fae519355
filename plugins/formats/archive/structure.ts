import type { Look } from '../../../kernel/contract.ts'
import { comics } from '../book.ts'
import { unsupported } from '../refusals.ts'
import { isTar } from './packed.ts'

/** Archives with a mark of only two bytes, by what follows it. */
export const shortMark: Look = ({ head }) => {
  const mark = head.toString('latin1', 0, 2)
  if (mark === '\x60\xea' && head.readUInt16LE(2) <= 2600 && head[4]! >= 30) return 'arj'
  return mark === '\xc7\x71' || mark === '\x71\xc7' ? 'cpio' : undefined
}

export const tar: Look = ({ head }, hint) => (isTar(head) ? (isComic(head, hint) ? 'cbt' : 'tar') : undefined)

/** Comics by their name, or by a member that describes them, if it is near the start. */
const isComic = (head: Buffer, hint: string) => comics.includes(hint) || head.includes('ComicInfo.xml')

/** RAR. */
export const rar: Look = ({ head }, hint) => (isComic(head, hint) ? 'cbr' : 'rar')

/** 7z, which compresses the names of its members. */
export const sevenZip: Look = (_, hint) => (comics.includes(hint) ? 'cb7' : '7z')

/** Marks outside the head: the first descriptor of a disc image, the trailer of a disk image. */
export const disc: Look = async (file) => {
  if (/^(CD001|BEA01)/.test((await file.read(32_769, 5)).toString('latin1'))) return 'iso'
  if ((await file.read(file.size - 512, 4)).toString('latin1') === 'koly') return unsupported('disk image')
  return undefined
}
