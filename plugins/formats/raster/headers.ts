import type { Look, Source } from '../../../kernel/contract.ts'

const DIB_SIZES = [12, 16, 40, 52, 56, 64, 108, 124]

/** Image headers without a signature, which must be plausible in several places. */
const RULES: [extension: string, test: (head: Buffer, size: number) => boolean][] = [
  ['gif', (h) => /^GIF8[79]a/.test(h.toString('latin1', 0, 6))],
  ['jls', (h) => frameOf(h) === 0xf7],
  ['bmp', (h) => isBmp(h, 0) || (h.toString('latin1', 0, 2) === 'BA' && isBmp(h, 14))],
  ['ico', (h, size) => isIcon(h, size, 1)],
  ['cur', (h, size) => isIcon(h, size, 2)],
  ['qoi', (h) => h.toString('latin1', 0, 4) === 'qoif' && (h[12] === 3 || h[12] === 4) && h[13]! <= 1],
  ['sgi', (h) => h.readUInt16BE(0) === 0x01da && h[2]! <= 1 && (h[3] === 1 || h[3] === 2) && h.readUInt16BE(4) <= 3],
  ['pcx', (h) => h[0] === 10 && h[1]! <= 5 && h[2]! <= 1 && [1, 2, 4, 8].includes(h[3]!) && isPcx(h)],
  [
    'xwd',
    (h) => h.readUInt32BE(4) === 7 && h.readUInt32BE(0) >= 100 && h.readUInt32BE(0) < 65_536 && h.readUInt32BE(8) <= 2,
  ],
  ['pict', (h) => h.readUInt32BE(522) === 0x001102ff || (h.readUInt32BE(10) === 0x001102ff && h.readUInt16BE(0) !== 0)],
  // The first version (1984) has a mark of two bytes after the first 512 bytes.
  ['pict', (h) => h.readUInt16BE(522) === 0x1101 && h.subarray(0, 512).every((byte) => byte === 0)],
  ['pfm', (h) => /^P[Ff]\s+\d+\s+\d+\s+-?[\d.]/.test(h.toString('latin1', 0, 64))],
]

/**
 * The marker of a JPEG's frame (ITU-T T.81, B.1.1.3): JPEG-LS has one of its own, and may start with other segments.
 */
function frameOf(h: Buffer): number | undefined {
  if (h.readUInt16BE(0) !== 0xffd8) return undefined
  for (let at = 2; h[at] === 0xff; at += 2 + h.readUInt16BE(at + 2)) {
    const marker = h[at + 1]!
    if ((marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) || marker === 0xf7) return marker
  }
  return undefined
}

/** A Windows bitmap without its file header, as programs pass it on (BITMAPINFOHEADER). */
const isBareBitmap = (h: Buffer) =>
  h.readUInt32LE(0) === 40 &&
  h.readUInt16LE(12) === 1 &&
  [1, 4, 8, 16, 24, 32].includes(h.readUInt16LE(14)) &&
  h.readUInt32LE(16) <= 6 &&
  [h.readInt32LE(4), Math.abs(h.readInt32LE(8))].every((side) => side >= 1 && side <= 65_536)

/** Identifies images with a plausible header. */
export const rasterHeader: Look = ({ head, size }, hint) => {
  const rule = RULES.find(([, test]) => safely(() => test(head, size)))
  // Some programs write cursors with the type of an icon: then the name decides.
  if (rule?.[0] === 'ico' && hint === 'cur') return 'cur'
  if (!rule && hint === 'bmp' && safely(() => isBareBitmap(head))) return 'bmp'
  return rule?.[0] ?? portableAnymap(head, hint)
}

/** Checks that need bytes beyond the end fail. */
const safely = (test: () => boolean) => {
  try {
    return test()
  } catch {
    return false
  }
}

const isBmp = (h: Buffer, at: number) =>
  h.toString('latin1', at, at + 2) === 'BM' && DIB_SIZES.includes(h.readUInt32LE(at + 14))

const isPcx = (h: Buffer) =>
  h.readUInt16LE(8) >= h.readUInt16LE(4) && h.readUInt16LE(10) >= h.readUInt16LE(6) && h[65]! >= 1 && h[65]! <= 4

function isIcon(h: Buffer, size: number, type: number): boolean {
  if (h.readUInt32LE(0) !== type << 16) return false
  const count = h.readUInt16LE(4)
  if (count < 1 || count > 1024) return false
  const length = h.readUInt32LE(14)
  const offset = h.readUInt32LE(18)
  return length > 0 && offset >= 6 + count * 16 && offset < size && (h[9] === 0 || h[9] === 255)
}

/** Netpbm (ppm(5), pam(5)): a mark, then numbers or comments. The name `pnm` fits all but pam. */
function portableAnymap(head: Buffer, hint: string): string | undefined {
  const start = head.toString('latin1', 0, 256)
  if (/^P7\s*\n(#[^\n]*\n)*\s*(WIDTH|HEIGHT|DEPTH|MAXVAL|TUPLTYPE)\b/.test(start)) return 'pam'
  const kind = /^P([1-6])\s+(#|\d+\s+(#|\d+\s))/.exec(start)?.[1]
  if (!kind) return undefined
  return hint === 'pnm' ? 'pnm' : ['pbm', 'pgm', 'ppm'][(Number(kind) - 1) % 3]
}

const TYPES = [1, 2, 3, 9, 10, 11]

/** Targa has a footer only since 1989. Without it, the header must be plausible, and the name or the size must fit. */
export const targa: Look = async (file, hint) => {
  const footer = await file.read(file.size - 18, 18)
  const { head } = file
  const type = head[2]!
  const depth = head[16]!
  const mapped = type === 1 || type === 9
  const sane =
    head[1]! <= 1 &&
    TYPES.includes(type) &&
    (!mapped || head[1] === 1) &&
    [8, 15, 16, 24, 32].includes(depth) &&
    head.readUInt16LE(12) > 0 &&
    head.readUInt16LE(14) > 0
  if (!sane) return undefined
  if (footer.toString('latin1', 0, 16) === 'TRUEVISION-XFILE' || hint === 'tga') return 'tga'
  const map = head[1] === 1 ? head.readUInt16LE(5) * Math.ceil(head[7]! / 8) : 0
  const pixels = head.readUInt16LE(12) * head.readUInt16LE(14) * Math.ceil(depth / 8)
  // A run-length encoded file has no predictable size: the header must be one that encoders write.
  if (type > 8)
    return head.readUInt32LE(8) === 0 && (mapped || head.readUIntLE(3, 5) === 0) && head[17]! < 64 ? 'tga' : undefined
  return 18 + head[0]! + map + pixels === file.size ? 'tga' : undefined
}

/** WBMP has no signature: the name must fit, and type, width and height must give the size. */
function isWbmp({ head, size }: Source): boolean {
  if (head[0] !== 0 || head[1] !== 0) return false
  const [width, afterWidth] = multibyte(head, 2)
  const [height, start] = multibyte(head, afterWidth)
  return width > 0 && height > 0 && start + Math.ceil(width / 8) * height === size
}

/** A multi-byte integer of up to four groups of 7 bits (WAP-237 §4.3.1), and where it ends. */
function multibyte(head: Buffer, at: number): [number, number] {
  let value = 0
  for (let end = Math.min(at + 4, head.length); at < end; ) {
    const byte = head[at++]!
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) break
  }
  return [value, at]
}

/** WBMP, if the name fits and the bytes do not contradict it. */
export const wirelessBitmap: Look = (file, hint) => (hint === 'wbmp' && isWbmp(file) ? 'wbmp' : undefined)

/** XBM, which is C source code. */
export const xBitmap: Look = ({ text }) => {
  const start = text?.body.slice(0, 4096) ?? ''
  const isXbm = /^#define\s+\S+?_?width\s+\d+\s*$/m.test(start) && /_bits\s*\[\s*\]|_height\s+\d/.test(start)
  return isXbm ? 'xbm' : undefined
}
