/** Small files of formats that no installed program writes. */
import sharp from 'sharp'

/** One page of a pdf: its paper and crop in points, and its clockwise rotation. */
export interface Page {
  paper: [number, number]
  crop?: [number, number, number, number]
  turn?: 0 | 90 | 180 | 270
}

/** A pdf with blue pages and a red square of 20 points in the upper left corner of the unrotated view. */
export function pdf(pages: readonly Page[]): Buffer {
  const objects = ['', '<</Type/Catalog/Pages 2 0 R>>', '']
  const kids = pages.map(({ paper: [width, height], crop = [0, 0, width, height], turn = 0 }) => {
    const draw = `0 0 1 rg 0 0 ${width} ${height} re f 1 0 0 rg ${crop[0]} ${crop[3] - 20} 20 20 re f`
    const contents = objects.push(`<</Length ${draw.length}>>stream\n${draw}\nendstream`) - 1
    const box = `/MediaBox[0 0 ${width} ${height}]/CropBox[${crop.join(' ')}]/Rotate ${turn}`
    return objects.push(`<</Type/Page/Parent 2 0 R${box}/Contents ${contents} 0 R>>`) - 1
  })
  objects[2] = `<</Type/Pages/Count ${kids.length}/Kids[${kids.map((kid) => `${kid} 0 R`).join(' ')}]>>`
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, number) => {
    const at = body.length
    if (number > 0) body += `${number} 0 obj${object}endobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  offsets[0] = '0000000000 65535 f \n'
  const end = `trailer<</Size ${objects.length}/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF\n`
  return Buffer.from(`${body}xref\n0 ${objects.length}\n${offsets.join('')}${end}`, 'latin1')
}

/** PostScript pages of 100 × 50 points: blue, with a red square of 20 in the upper left corner. */
export const postscript = (pages: number, head = '%!PS-Adobe-3.0') =>
  `${head}\n%%BoundingBox: 0 0 100 50\n` +
  (head.includes('EPSF') ? '' : '<</PageSize[100 50]>>setpagedevice\n') +
  '0 0 1 setrgbcolor 10 0 90 50 rectfill 1 0 0 setrgbcolor 0 30 20 20 rectfill showpage\n'.repeat(pages)

const words = (...values: number[]) => {
  const out = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) out.writeInt32BE(value, index * 4)
  return out
}

/** A GIMP file with two layers on 40 × 30 pixels: blue everywhere, and above it red, half visible, at 10, 5. */
export function xcf(): Buffer {
  const layers = [
    { width: 10, height: 8, x: 10, y: 5, opacity: 128, colour: [255, 0, 0, 255] },
    { width: 40, height: 30, x: 0, y: 0, opacity: 255, colour: [0, 0, 255, 255] },
  ]
  // Property 17 is the compression: run lengths. The tables of layers and channels end with a zero.
  const head = Buffer.concat([Buffer.from('gimp xcf file\0'), words(40, 30, 0, 17, 1), Buffer.from([1]), words(0, 0)])
  let at = head.length + 4 * (layers.length + 2)
  const offsets: number[] = []
  const bodies = layers.map(({ width, height, x, y, opacity, colour }) => {
    offsets.push(at)
    const properties = [6, 4, opacity, 8, 4, 1, 15, 8, x, y, 7, 4, 0, 0, 0]
    const name = Buffer.from('layer\0')
    const start = Buffer.concat([words(width, height, 1, name.length), name, words(...properties)])
    const hierarchy = at + start.length + 8
    const level = hierarchy + 20
    const tile = level + 16
    const length = width * height
    const pixels = Buffer.from(colour.flatMap((value) => [127, length >> 8, length & 255, value]))
    const rest = words(hierarchy, 0, width, height, 4, level, 0, width, height, tile, 0)
    const body = Buffer.concat([start, rest, pixels])
    at += body.length
    return body
  })
  // Readers expect the largest size that a badly packed tile of 64 × 64 pixels can have.
  return Buffer.concat([head, words(...offsets, 0, 0), ...bodies, Buffer.alloc(64 * 64 * 6)])
}

/** JBIG2 (ITU-T T.88, annex D.1) of a black and white picture in fax coding (T.6), where black is one. */
export async function jbig2(png: Buffer): Promise<Buffer> {
  const tiff = await sharp(png)
    .threshold(128)
    .negate()
    .toColourspace('b-w')
    .tiff({ compression: 'ccittfax4', bitdepth: 1 })
    .toBuffer()
  const { width, height } = await sharp(tiff).metadata()
  const fax = strips(tiff)
  const segment = (number: number, type: number, data: Buffer) =>
    Buffer.concat([words(number), Buffer.from([type, 0, 1]), words(data.length), data])
  return Buffer.concat([
    Buffer.from([0x97, 0x4a, 0x42, 0x32, 0x0d, 0x0a, 0x1a, 0x0a, 1, 0, 0, 0, 1]),
    segment(0, 48, Buffer.concat([words(width, height, 0, 0), Buffer.from([0, 0, 0])])),
    segment(1, 38, Buffer.concat([words(width, height, 0, 0), Buffer.from([0, 1]), fax])),
    segment(2, 49, Buffer.alloc(0)),
    segment(3, 51, Buffer.alloc(0)),
  ])
}

/** The picture data of a little-endian TIFF with one strip. */
function strips(tiff: Buffer): Buffer {
  const ifd = tiff.readUInt32LE(4)
  const value = (tag: number) => {
    for (let entry = ifd + 2; entry < ifd + 2 + 12 * tiff.readUInt16LE(ifd); entry += 12)
      if (tiff.readUInt16LE(entry) === tag)
        return tiff.readUInt16LE(entry + 2) === 3 ? tiff.readUInt16LE(entry + 8) : tiff.readUInt32LE(entry + 8)
    throw new Error(`no tag ${tag}`)
  }
  return tiff.subarray(value(273), value(273) + value(279))
}

type Tag = [
  number: number,
  type: 'byte' | 'ascii' | 'short' | 'long' | 'rational' | 'srational',
  values: number[] | string,
]
const TYPES = {
  byte: [1, 1],
  ascii: [2, 1],
  short: [3, 2],
  long: [4, 4],
  rational: [5, 8],
  srational: [10, 8],
} as const

/** A little-endian TIFF with one directory; tag 273 points at `data`. `head` may be longer than eight bytes. */
function tiff(tags: readonly Tag[], data: Buffer, head = Buffer.from('II*\0\x08\0\0\0', 'latin1')): Buffer {
  const start = head.length
  const directory = Buffer.alloc(2 + 12 * tags.length + 4)
  directory.writeUInt16LE(tags.length)
  const tail: Buffer[] = []
  let at = start + directory.length
  for (const [index, [number, type, values]] of tags.entries()) {
    const [code, bytes] = TYPES[type]
    const list = typeof values === 'string' ? [...Buffer.from(`${values}\0`)] : values
    const out = Buffer.alloc(Math.max(4, list.length * bytes))
    for (const [i, value] of list.entries())
      if (bytes === 1) out[i] = value
      else if (bytes === 2) out.writeUInt16LE(value, 2 * i)
      else if (bytes === 4) out.writeUInt32LE(value, 4 * i)
      else {
        out.writeInt32LE(Math.round(value * 10_000), 8 * i)
        out.writeInt32LE(10_000, 8 * i + 4)
      }
    const entry = 2 + 12 * index
    directory.writeUInt16LE(number, entry)
    directory.writeUInt16LE(code, entry + 2)
    directory.writeUInt32LE(list.length, entry + 4)
    if (number === 273) continue
    if (out.length === 4) out.copy(directory, entry + 8)
    else {
      directory.writeUInt32LE(at, entry + 8)
      tail.push(out)
      at += out.length
    }
  }
  directory.writeUInt32LE(at, 2 + 12 * tags.findIndex(([number]) => number === 273) + 8)
  return Buffer.concat([head, directory, ...tail, data])
}

/** A DNG of the picture: linear, one colour per pixel. Width and height must be even. */
export async function dng(png: Buffer): Promise<Buffer> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const sensor = Buffer.alloc(width * height * 2)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const channel = (y % 2) + (x % 2)
      const value = data[(y * width + x) * 3 + channel]! / 255
      const linear = value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
      sensor.writeUInt16LE(Math.round(linear * 15_000) + 512, (y * width + x) * 2)
    }
  // From XYZ to the sensor's colours, which are those of sRGB.
  const matrix = [3.2405, -1.5371, -0.4985, -0.9693, 1.876, 0.0416, 0.0556, -0.204, 1.0572]
  return tiff(
    [
      [254, 'long', [0]],
      [256, 'long', [width]],
      [257, 'long', [height]],
      [258, 'short', [16]],
      [259, 'short', [1]],
      [262, 'short', [32_803]],
      [271, 'ascii', 'Athanor'],
      [272, 'ascii', 'Sensor'],
      [273, 'long', [0]],
      [274, 'short', [1]],
      [277, 'short', [1]],
      [278, 'long', [height]],
      [279, 'long', [sensor.length]],
      [33_421, 'short', [2, 2]],
      [33_422, 'byte', [0, 1, 1, 2]],
      [50_706, 'byte', [1, 4, 0, 0]],
      [50_707, 'byte', [1, 1, 0, 0]],
      [50_708, 'ascii', 'Athanor Sensor'],
      [50_714, 'short', [512]],
      [50_717, 'long', [15_512]],
      [50_721, 'srational', matrix],
      [50_728, 'rational', [1, 1, 1]],
      [50_778, 'short', [21]],
    ],
    sensor,
  )
}

/** A CR2 reduced to its preview, taken with a rotated camera: a reader must turn it clockwise. */
export const preview = (jpg: Buffer, width: number, height: number) =>
  tiff(
    [
      [256, 'short', [width]],
      [257, 'short', [height]],
      [258, 'short', [8, 8, 8]],
      [259, 'short', [6]],
      [271, 'ascii', 'Canon'],
      [272, 'ascii', 'Canon EOS 5D Mark II'],
      [273, 'long', [0]],
      [274, 'short', [6]],
      [279, 'long', [jpg.length]],
    ],
    jpg,
    Buffer.concat([Buffer.from('II*\0\x10\0\0\0CR\x02\0', 'latin1'), Buffer.alloc(4)]),
  )

/** Bitmaps with rare headers. Each shows the same picture of 6 × 4 pixels. */
export function bitmaps(pixel: (x: number, y: number) => [number, number, number, number]): Record<string, Buffer> {
  const [width, height] = [6, 4]
  const rows = (bits: number, upward: boolean, put: (out: Buffer, at: number, colour: number[]) => void) => {
    const stride = Math.ceil((width * bits) / 32) * 4
    const out = Buffer.alloc(stride * height)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) put(out, (upward ? height - 1 - y : y) * stride + (x * bits) / 8, pixel(x, y))
    return out
  }
  const file = (info: Buffer, data: Buffer) => {
    const head = Buffer.alloc(14)
    head.write('BM')
    head.writeUInt32LE(14 + info.length + data.length, 2)
    head.writeUInt32LE(14 + info.length, 10)
    return Buffer.concat([head, info, data])
  }
  const info = (size: number, bits: number, compression: number, down = false, masks: number[] = []) => {
    const out = Buffer.alloc(Math.max(size, 40 + masks.length * 4))
    out.writeUInt32LE(size, 0)
    out.writeInt32LE(width, 4)
    out.writeInt32LE(down ? -height : height, 8)
    out.writeUInt16LE(1, 12)
    out.writeUInt16LE(bits, 14)
    out.writeUInt32LE(compression, 16)
    for (const [index, mask] of masks.entries()) out.writeUInt32LE(mask, 40 + 4 * index)
    if (size >= 108) out.write('BGRs', 56)
    return out
  }
  const bgr = (out: Buffer, at: number, [r, g, b]: number[]) => out.set([b!, g!, r!], at)
  const bgra = (out: Buffer, at: number, [r, g, b, a]: number[]) => out.set([b!, g!, r!, a!], at)
  const bgr0 = (out: Buffer, at: number, [r, g, b]: number[]) => out.set([b!, g!, r!, 0], at)
  const r5g6b5 = (out: Buffer, at: number, [r, g, b]: number[]) =>
    out.writeUInt16LE(((r! >> 3) << 11) | ((g! >> 2) << 5) | (b! >> 3), at)
  const core = Buffer.alloc(12)
  core.writeUInt32LE(12)
  for (const [index, value] of [width, height, 1, 24].entries()) core.writeUInt16LE(value, 4 + 2 * index)
  const masks = [0xff0000, 0xff00, 0xff, 0xff000000]
  return {
    'OS/2': file(core, rows(24, true, bgr)),
    'top down': file(info(40, 24, 0, true), rows(24, false, bgr)),
    '32 bits without alpha': file(info(40, 32, 0), rows(32, true, bgr0)),
    '16 bits': file(info(40, 16, 3, false, [0xf800, 0x7e0, 0x1f]), rows(16, true, r5g6b5)),
    'version 4 with alpha': file(info(108, 32, 3, false, masks), rows(32, true, bgra)),
    'version 5 with alpha': file(info(124, 32, 3, false, masks), rows(32, true, bgra)),
  }
}
