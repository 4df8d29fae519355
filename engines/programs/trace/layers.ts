/** One colour of a traced image. */
export interface Layer {
  colour: string
  /** The pixels as in PBM (pbm(5)): rows from the top, one bit per pixel, each row padded to whole bytes. */
  bitmap: Buffer
}

/**
 * The colours of an image from the lightest to the darkest. Each layer also contains the pixels of all darker colours,
 * so that stacked layers leave no gaps, and an edge between two colours shows a tone between them.
 *
 * @param pixels 4 bytes each. Pixels with an alpha of 0 belong to no layer
 */
export function* layers(pixels: Buffer, width: number, height: number): Generator<Layer> {
  const colours = new Set<number>()
  for (let at = 0; at < pixels.length; at += 4) if (pixels[at + 3]) colours.add(pixels.readUIntBE(at, 3))
  const ordered = [...colours].sort((one, other) => luminance(other) - luminance(one))
  const rank = new Map(ordered.map((colour, index) => [colour, index]))
  const stride = Math.ceil(width / 8)
  for (const [index, colour] of ordered.entries()) {
    const bitmap = Buffer.alloc(stride * height)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const at = (y * width + x) * 4
        if (pixels[at + 3] && rank.get(pixels.readUIntBE(at, 3))! >= index)
          bitmap[y * stride + (x >> 3)]! |= 128 >> (x & 7)
      }
    yield { colour: `#${colour.toString(16).padStart(6, '0')}`, bitmap }
  }
}

const luminance = (colour: number) => 0.2126 * (colour >> 16) + 0.7152 * ((colour >> 8) & 255) + 0.0722 * (colour & 255)
