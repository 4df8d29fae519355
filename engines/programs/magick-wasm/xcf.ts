import { refuse } from '../refusal/refusal.ts'

/** Property types. @see https://developer.gimp.org/core/standards/xcf/ */
const END = 0
const OPACITY = 6
const MASKED = 11
/** Numbers for the precision of pixels: 8 bits, in the older and the newer list. */
const EIGHT_BITS = [0, 100, 150]
const FIRST_WITH_PRECISION = 4

const versionOf = (file: Buffer) =>
  file.toString('latin1', 9, 13) === 'file' ? 0 : Number(file.toString('latin1', 10, 13))

/** Width and height of the canvas, which layers can leave or fill in part. */
export function canvasOf(file: Buffer): [width: number, height: number] {
  const deep = versionOf(file) >= FIRST_WITH_PRECISION && !EIGHT_BITS.includes(file.readUInt32BE(26))
  if (deep) refuse('XCF with more than 8 bits per channel cannot be read; export the picture as PNG, TIFF or PSD')
  return [file.readUInt32BE(14), file.readUInt32BE(18)]
}

/** Opacity of each layer of a GIMP file, 0 to 1, from the lowest layer up. ImageMagick ignores it. */
export function opacities(file: Buffer): number[] {
  const version = versionOf(file)
  let at = properties(file, version >= FIRST_WITH_PRECISION ? 30 : 26).end
  const layers: number[] = []
  for (;;) {
    const offset = version >= 11 ? Number(file.readBigUInt64BE(at)) : file.readUInt32BE(at)
    if (offset === 0) return layers
    const name = offset + 12
    const { end, opacity = 255, masked } = properties(file, name + 4 + file.readUInt32BE(name))
    if (masked && hasMask(file, end, version))
      refuse('Layer masks of XCF cannot be read; export the picture as PNG, TIFF or PSD')
    layers.unshift(opacity / 255)
    at += version >= 11 ? 8 : 4
  }
}

/** Whether the second place behind the properties of a layer, that of its mask, is in the file. */
const hasMask = (file: Buffer, end: number, version: number) =>
  version >= 11 ? file.readBigUInt64BE(end + 8) > 0n : file.readUInt32BE(end + 4) > 0

/** Reads a list of properties: type, length, value. */
function properties(file: Buffer, start: number) {
  const found: { opacity?: number; masked?: boolean } = {}
  for (let at = start; ; at += 8 + file.readUInt32BE(at + 4)) {
    const kind = file.readUInt32BE(at)
    if (kind === END) return { ...found, end: at + 8 }
    if (kind === OPACITY) found.opacity = file.readUInt32BE(at + 8)
    if (kind === MASKED) found.masked = file.readUInt32BE(at + 8) > 0
  }
}
