import { isTar } from './packed.ts'
import type { Source } from './peek.ts'
import { isWbmp, targa } from './raster.ts'
import { font, type LookIn, unsupported } from './verdict.ts'

/** Binary files with more than a mark at their start: a length, a checksum, a place deep inside. */
export const binaryStructure: LookIn = async (file, hint) => {
  const { head, size } = file
  const mark = head.toString('latin1', 0, 16)
  if (/^[FCZ]WS/.test(mark) && head[3]! < 64) return 'swf'
  if (mark.startsWith('\x1f\x07\0') && (head[3]! & 0x7f) === 0x3f) return 'dv'
  if (/^.{2}-(lh[\da-d]|lz[\ds45]|pm[\ds])-/s.test(mark)) return 'lha'
  if (mark.startsWith('\x60\xea') && head.readUInt16LE(2) <= 2600 && head[4]! >= 30) return 'arj'
  if (mark.startsWith('\xc7\x71') || mark.startsWith('\x71\xc7')) return 'cpio'
  if (/^xof 0\d0\d(txt|bin|tzip|bzip)/.test(mark)) return 'x'
  if (mark.startsWith('MM') && is3ds(head, size)) return '3ds'
  if (isSfnt(head) || /^\x80\x01....%!/s.test(mark)) return font
  if (isMxf(head, hint)) return 'mxf'
  // Before anything that trusts the word "solid", which binary files carry too.
  const facets = size >= 134 ? head.readUInt32LE(80) : 0
  if (facets > 0 && (84 + 50 * facets === size || (hint === 'stl' && 84 + 50 * facets < size))) return 'stl'
  if (isTar(head)) return 'tar'
  return (await deep(file)) ?? targa(file, hint)
}

/** Places outside of the head: a disc image's first descriptor, a disk image's trailer. */
async function deep(file: Source) {
  if (/^(CD001|BEA01)/.test((await file.read(32_769, 5)).toString('latin1'))) return 'iso'
  if ((await file.read(file.size - 512, 4)).toString('latin1') === 'koly') return unsupported('disk image')
  return undefined
}

/** The first chunk holds the file, and one of its three kinds of child follows. */
const is3ds = (head: Buffer, size: number) =>
  head.readUInt32LE(2) <= size && head.readUInt32LE(2) > 16 && [0x0002, 0x3d3d, 0xb000].includes(head.readUInt16LE(6))

/** A font by its table directory (OpenType, "Organization of an OpenType font"). */
function isSfnt(head: Buffer): boolean {
  if (head.toString('latin1', 0, 5) !== '\0\x01\0\0\0' || head.length < 28) return false
  const tables = head.readUInt16BE(4)
  return tables >= 1 && tables <= 128 && /^[ -~]{4}$/.test(head.toString('latin1', 12, 16))
}

/** The key of a header partition; up to 64 KiB of run-in may precede it (SMPTE 377-1 §6.5), where the name agrees. */
const MXF_KEY = Buffer.from('060e2b34020501010d010201', 'hex')
const isMxf = (head: Buffer, hint: string) => {
  const at = head.indexOf(MXF_KEY)
  return at === 0 || (at > 0 && hint === 'mxf')
}

/** Formats without any mark: the name says so, and the bytes do not contradict it. */
export const byNameAlone: LookIn = (file, hint) => (hint === 'wbmp' && isWbmp(file) ? 'wbmp' : undefined)
