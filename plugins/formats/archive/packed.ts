import type { Look } from '../../../kernel/contract.ts'
import { inflateHead } from '../containers/inflate.ts'
import { xmlRoot } from '../markup/xml-root.ts'

/** Identifies a tar by its header checksum, which even the oldest tars have (POSIX.1-1988 §10.1.1). */
export function isTar(block: Buffer): boolean {
  if (block.length < 512 || block[0] === 0) return false
  const stored = Number.parseInt(block.toString('latin1', 148, 156).replace(/\0.*/s, '').trim(), 8)
  let unsigned = 256
  let signed = 256
  for (let i = 0; i < 512; i++) {
    if (i >= 148 && i < 156) continue
    unsigned += block[i]!
    signed += block.readInt8(i)
  }
  return stored === unsigned || stored === signed
}

/** gzip. With a tar, an SVG or a Blender file inside, it is another format. */
export const gzipped: Look = async ({ head }) => {
  const inside = await inflateHead('gzip', head)
  if (isTar(inside)) return 'tar.gz'
  if (inside.toString('latin1', 0, 7) === 'BLENDER') return 'blend'
  return xmlRoot(inside.toString('utf8'))?.name === 'svg' ? 'svgz' : 'gz'
}

/** Zstandard, examined like gzip. The content after a skippable frame is not examined. */
export const zstandard: Look = async ({ head }, hint) => {
  const inside = await inflateHead('zstd', head)
  if (inside.toString('latin1', 0, 7) === 'BLENDER') return 'blend'
  return isTar(inside) || (inside.length < 512 && hint === 'tar.zst') ? 'tar.zst' : 'zst'
}

/** Brotli has no signature: the name must fit, and the beginning must decompress. */
export const brotli: Look = async ({ head }, hint) => {
  if (hint !== 'br' && hint !== 'tar.br') return undefined
  return (await inflateHead('brotli', head)).length > 0 ? 'br' : undefined
}

const COMPRESSORS: [test: (head: Buffer, hint: string) => boolean, extension: string][] = [
  [(h) => /^BZh[1-9](1AY&SY|\x17rE8P\x90)/.test(h.toString('latin1', 0, 10)), 'bz2'],
  [(h) => h.toString('latin1', 0, 6) === '\xfd7zXZ\0', 'xz'],
  [(h) => /^[\x02\x04][!"]([LM])\x18/.test(h.toString('latin1', 0, 4)), 'lz4'],
  [(h) => /^LZIP[\0\x01]/.test(h.toString('latin1', 0, 5)), 'lz'],
  [(h) => h[0] === 0x1f && h[1] === 0x9d && (h[2]! & 0x1f) >= 9 && (h[2]! & 0x1f) <= 16, 'z'],
  [isLzma, 'lzma'],
]

/** Compressed files that are not decompressed here. Only the name tells whether there is a tar inside. */
export const compressed: Look = ({ head }, hint) => {
  const extension = COMPRESSORS.find(([test]) => test(head, hint))?.[1]
  return extension && hint.startsWith('tar.') ? `tar.${extension}` : extension
}

/** An LZMA header: default properties (under its name, any), a usual dictionary size, a length that can be. */
function isLzma(head: Buffer, hint: string): boolean {
  const plausible = head[0] === 0x5d || (hint.endsWith('lzma') && head[0]! < 9 * 5 * 5)
  if (head.length < 14 || !plausible || head[13] !== 0) return false
  const dictionary = head.readUInt32LE(1)
  const power = dictionary & (dictionary - 1)
  if (dictionary < 4096 || (power !== 0 && (power & (power - 1)) !== 0 && dictionary !== 0xffffffff)) return false
  const size = head.readBigUInt64LE(5)
  return size === 0xffffffffffffffffn || size < 1n << 40n
}
