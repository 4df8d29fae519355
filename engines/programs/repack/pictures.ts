import sharp from 'sharp'

/** Smallest image to optimise, in bytes, and the largest share of its size that the result may have. */
const WORTH = { bytes: 20_000, share: 0.9 }

/** Makes an image smaller: PNG without loss, JPEG without visible loss. Returns the original if that fails. */
export async function smaller(name: string, content: Buffer): Promise<Buffer> {
  if (content.length < WORTH.bytes || !/\.(png|jpe?g)$/i.test(name)) return content
  try {
    const image = sharp(content, { limitInputPixels: 1e8 })
    const { format, orientation = 1, pages = 1, space } = await image.metadata()
    // An image rotated by its EXIF tag would be rotated for programs that ignore the tag, too.
    if (pages > 1 || orientation !== 1 || space === 'cmyk') return content
    const made =
      format === 'png'
        ? await image.keepIccProfile().png({ compressionLevel: 9, adaptiveFiltering: true }).toBuffer()
        : await image.keepIccProfile().jpeg({ quality: 85, mozjpeg: true }).toBuffer()
    return made.length < content.length * WORTH.share ? made : content
  } catch {
    return content
  }
}
