/** An image of a PDF (ISO 32000-1, 8.9.5), with its pixels as they are stored. */
export interface Raster {
  width: number
  height: number
  /** Bits of one sample. */
  bits: number
  components: 1 | 3 | 4
  /** Further entries of its dictionary: how the bytes are coded. */
  coding: string
  bytes: readonly Buffer[]
  /** Colour profile. */
  icc?: Buffer | undefined
  /** Red, green and blue of each colour, of pixels that number their colour. */
  palette?: Buffer | undefined
  /** Opacity. */
  mask?: Raster | undefined
  /** EXIF orientation, 1 to 8. Default 1. */
  orientation?: number
}

/** The pixels of a PNG that is not interlaced and has no alpha channel: PDF holds them as they are. */
export function pngRaster(png: Buffer): (Raster & { transparency?: Buffer | undefined }) | undefined {
  const parts = new Map<string, Buffer[]>()
  for (let at = 8; at + 12 <= png.length; at += png.readUInt32BE(at) + 12) {
    const type = png.toString('latin1', at + 4, at + 8)
    const data = png.subarray(at + 8, at + 8 + png.readUInt32BE(at))
    parts.set(type, [...(type === 'IDAT' ? (parts.get(type) ?? []) : []), data])
  }
  const header = parts.get('IHDR')?.[0]
  const bytes = parts.get('IDAT')
  if (header?.length !== 13 || !bytes) return undefined
  const bits = header[8]!
  const type = header[9]!
  const interlaced = header[12] !== 0
  const palette = type === 3 ? parts.get('PLTE')?.[0] : undefined
  if (interlaced || type > 3 || (type === 3 && !palette)) return undefined
  const width = header.readUInt32BE(0)
  const height = header.readUInt32BE(4)
  const colours = type === 2 ? 3 : 1
  return {
    width,
    height,
    bits,
    bytes,
    palette,
    components: type === 0 ? 1 : 3,
    coding: `/Filter/FlateDecode/DecodeParms<</Predictor 15/Colors ${colours}/BitsPerComponent ${bits}/Columns ${width}>>`,
    transparency: parts.get('tRNS')?.[0],
  }
}

/** The pixels of a TIFF in one strip of fax code, as libtiff writes it: black is zero. */
export function faxRaster(tiff: Buffer): Raster {
  const directory = tiff.readUInt32LE(4)
  const entries = new Map<number, number>()
  for (let index = 0; index < tiff.readUInt16LE(directory); index++) {
    const at = directory + 2 + index * 12
    const value = tiff.readUInt16LE(at + 2) === 3 ? tiff.readUInt16LE(at + 8) : tiff.readUInt32LE(at + 8)
    entries.set(tiff.readUInt16LE(at), value)
  }
  const [width, height, start, length] = [256, 257, 273, 279].map((tag) => entries.get(tag) ?? 0)
  return {
    width: width!,
    height: height!,
    bits: 1,
    components: 1,
    bytes: [tiff.subarray(start, start! + length!)],
    coding: `/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns ${width}/Rows ${height}/BlackIs1 true>>`,
  }
}
