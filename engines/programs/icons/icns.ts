import type { Entry } from './entry.ts'

/** Element types by size: PNG, or for old systems compressed colours with a separate mask. */
const TYPES: Readonly<Record<number, readonly [string] | readonly [string, string]>> = {
  16: ['is32', 's8mk'],
  32: ['il32', 'l8mk'],
  48: ['ih32', 'h8mk'],
  128: ['it32', 't8mk'],
  256: ['ic08'],
  512: ['ic09'],
  1024: ['ic10'],
}

/** Icon sizes for an image with `side` pixels per side: those of the format, up to the first that is large enough. */
export function icnsSizes(side: number): number[] {
  const sizes = Object.keys(TYPES).map(Number)
  const enough = sizes.findIndex((size) => size >= side)
  return enough < 0 ? sizes : sizes.slice(0, enough + 1)
}

/** Writes an Apple icon. */
export function icns(entries: readonly Entry[]): Buffer {
  const elements = entries.flatMap(({ size, png, rgba }) => {
    const [type, mask] = TYPES[size]!
    if (!mask) return [element(type, png)]
    const colours = Buffer.concat([0, 1, 2].map((channel) => pack(plane(rgba, channel))))
    const start = Buffer.alloc(size === 128 ? 4 : 0)
    return [element(type, Buffer.concat([start, colours])), element(mask, plane(rgba, 3))]
  })
  return element('icns', Buffer.concat(elements))
}

function element(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32BE(data.length + 8, 4)
  return Buffer.concat([head, data])
}

const plane = (rgba: Buffer, channel: number) => rgba.filter((_, index) => index % 4 === channel) as Buffer

/** Run-length encoding: 0x80 + n − 3 repeats a byte n times (3 to 130); n − 1 copies n bytes (1 to 128). */
function pack(data: Buffer): Buffer {
  const out: number[] = []
  let plain: number[] = []
  const flush = () => {
    if (plain.length > 0) out.push(plain.length - 1, ...plain)
    plain = []
  }
  for (let at = 0; at < data.length; ) {
    let run = 1
    while (run < 130 && data[at + run] === data[at]) run++
    if (run >= 3) {
      flush()
      out.push(0x80 + run - 3, data[at]!)
      at += run
    } else {
      plain.push(data[at++]!)
      if (plain.length === 128) flush()
    }
  }
  flush()
  return Buffer.from(out)
}

/** Image formats of elements: their signature, and how to read the width from the header. */
const KINDS = {
  png: { start: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), width: (data: Buffer) => data.readUInt32BE(16) },
  // JPEG 2000, which Apple used before PNG (ISO/IEC 15444-1, annex I). The width comes after the height.
  jp2: {
    start: Buffer.from('\0\0\0\x0cjP  \r\n\x87\n', 'latin1'),
    width: (data: Buffer) => data.readUInt32BE(data.subarray(0, 200).indexOf('ihdr') + 8),
  },
} as const

/** The largest image of a format in an icon. */
export function largest(file: Buffer, kind: keyof typeof KINDS): Buffer | undefined {
  const { start, width } = KINDS[kind]
  let best: Buffer | undefined
  for (let at = 8, length: number; at + 8 <= file.length; at += length) {
    length = file.readUInt32BE(at + 4)
    if (length < 8) break
    const data = file.subarray(at + 8, at + length)
    if (data.length < 24 || !data.subarray(0, start.length).equals(start)) continue
    if (!best || width(data) > width(best)) best = data
  }
  return best
}
