/** Property types. @see https://developer.gimp.org/core/standards/xcf/ */
const END = 0
const OPACITY = 6

/** Opacity of each layer of a GIMP file, 0 to 1, from the lowest layer up. ImageMagick ignores it. */
export function opacities(file: Buffer): number[] {
  const version = file.toString('latin1', 9, 13) === 'file' ? 0 : Number(file.toString('latin1', 10, 13))
  let at = properties(file, version >= 4 ? 30 : 26).end
  const layers: number[] = []
  for (;;) {
    const offset = version >= 11 ? Number(file.readBigUInt64BE(at)) : file.readUInt32BE(at)
    if (offset === 0) return layers
    const name = offset + 12
    layers.unshift((properties(file, name + 4 + file.readUInt32BE(name)).opacity ?? 255) / 255)
    at += version >= 11 ? 8 : 4
  }
}

/** Reads a list of properties: type, length, value. */
function properties(file: Buffer, start: number): { end: number; opacity?: number } {
  let opacity: number | undefined
  for (let at = start; ; at += 8 + file.readUInt32BE(at + 4)) {
    const kind = file.readUInt32BE(at)
    if (kind === END) return { end: at + 8, ...(opacity !== undefined && { opacity }) }
    if (kind === OPACITY) opacity = file.readUInt32BE(at + 8)
  }
}
