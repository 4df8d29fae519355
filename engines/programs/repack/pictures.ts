import sharp from 'sharp'

/** Bytes below which a picture is not worth the work, and the part of its size that a smaller one must save. */
const WORTH = { bytes: 20_000, share: 0.9 }

/** A picture packed better: PNG without loss, JPEG at a quality that does not show. The original, when that fails. */
export async function smaller(name: string, content: Buffer): Promise<Buffer> {
  if (content.length < WORTH.bytes || !/\.(png|jpe?g)$/i.test(name)) return content
  try {
    const image = sharp(content, { limitInputPixels: 1e8 })
    const { format, orientation = 1, pages = 1, space } = await image.metadata()
    // One that is turned by its tag would be turned for programs that do not look at it.
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
