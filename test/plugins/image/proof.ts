import sharp from 'sharp'

/** A picture that shows every mistake: no symmetry, all hues, sharp edges, and alpha if requested. */
export function colourful(width: number, height: number, alpha = false): Promise<Buffer> {
  const channels = alpha ? 4 : 3
  const data = Buffer.alloc(width * height * channels)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * channels
      const corner = x < width / 4 && y < height / 4
      data[at] = corner ? 230 : Math.round((255 * x) / width)
      data[at + 1] = corner ? 20 : Math.round((255 * y) / height)
      data[at + 2] = corner ? 40 : 128 + Math.round(100 * Math.sin((x + 2 * y) / 23))
      if (alpha) data[at + 3] = y > height / 2 ? (x > width / 2 ? 0 : 255) : Math.round((255 * x) / width)
    }
  return sharp(data, { raw: { width, height, channels } }).png().toBuffer()
}

/** Returns pixels as three bytes of sRGB each, on white. Ignores sRGB profiles with other names. */
async function pixels(file: string | Buffer) {
  const { data, info } = await sharp(file, { ignoreIcc: true })
    .toColourspace('srgb')
    .flatten({ background: '#fff' })
    .removeAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  if (info.channels === 3) return { width: info.width, height: info.height, data }
  const colours = Buffer.alloc(info.width * info.height * 3)
  for (let at = 0; at < colours.length; at++) colours[at] = data[Math.floor(at / 3) * info.channels]!
  return { width: info.width, height: info.height, data: colours }
}

/** Returns the peak signal-to-noise ratio in dB; 99 for equal pictures, 0 for other sizes. */
export async function psnr(one: string | Buffer, other: string | Buffer) {
  const [a, b] = await Promise.all([pixels(one), pixels(other)])
  if (a.width !== b.width || a.height !== b.height) return 0
  let sum = 0
  for (let at = 0; at < a.data.length; at++) sum += (a.data[at]! - b.data[at]!) ** 2
  return sum === 0 ? 99 : 10 * Math.log10((255 ** 2 * a.data.length) / sum)
}

/** Returns how opaque a picture is on average, 0 to 1. */
export async function opacity(file: string | Buffer) {
  const { hasAlpha, depth } = await sharp(file).metadata()
  if (!hasAlpha) return 1
  const { channels } = await sharp(file).stats()
  return channels.at(-1)!.mean / (depth === 'ushort' ? 65_535 : 255)
}
