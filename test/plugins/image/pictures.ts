import sharp, { type Sharp } from 'sharp'

/** A picture that is hard for every encoder: gradients in two directions with texture, of the given size in pixels. */
export function pattern(width: number, height: number, channels: 1 | 3 | 4 = 3): Sharp {
  const pixels = Buffer.alloc(width * height * channels)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * channels
      const texture = ((x * 7 + y * 13) ^ (x * y)) % 32
      pixels[at] = Math.floor((x / width) * 200) + texture
      if (channels === 1) continue
      pixels[at + 1] = Math.floor((y / height) * 200) + texture
      pixels[at + 2] = 128 + texture
      if (channels === 4) pixels[at + 3] = x < width / 2 ? 255 : Math.floor((y / height) * 255)
    }
  return sharp(pixels, { raw: { width, height, channels } })
}

/** Four quarters in red, green, blue and white, which show the orientation. */
export async function quarters(width: number, height: number): Promise<Sharp> {
  const part = { width: width / 2, height: height / 2 }
  const quarter = (colour: string, left: number, top: number) => ({
    input: { create: { ...part, channels: 3 as const, background: colour } },
    left: left * part.width,
    top: top * part.height,
  })
  const blank = sharp({ create: { width, height, channels: 3, background: 'white' } })
  const parts = [quarter('#f00', 0, 0), quarter('#0f0', 1, 0), quarter('#00f', 0, 1)]
  return sharp(await blank.composite(parts).png().toBuffer())
}

/** An animated GIF of frames in these colours. */
export async function animatedGif(colours: string[], delay: number[], loop = 0, size = 32): Promise<Buffer> {
  const frames = colours.map((background) => ({
    create: { width: size, height: size, channels: 3 as const, background },
  }))
  const inputs = await Promise.all(frames.map((frame) => sharp(frame).png().toBuffer()))
  return sharp(inputs, { join: { animated: true } })
    .gif({ delay, loop })
    .toBuffer()
}

/** Returns the colour of one pixel of an encoded picture: red, green, blue and alpha, 0 to 255. */
export async function colourAt(file: Buffer, x: number, y: number, page = 0): Promise<number[]> {
  const one = sharp(file, { page }).extract({ left: x, top: y, width: 1, height: 1 })
  return [...(await one.toColourspace('srgb').ensureAlpha().raw({ depth: 'uchar' }).toBuffer())]
}

/** Width and height in pixels. */
export async function sizeOf(file: Buffer): Promise<number[]> {
  const { width, height, pageHeight } = await sharp(file).metadata()
  return [width, pageHeight ?? height]
}

/** Returns the samples of a picture as stored, 8 bits per channel, without colour conversion. */
export const samples = (file: Buffer, animated = false) => sharp(file, { animated, ignoreIcc: true }).raw().toBuffer()

/** Returns the peak signal-to-noise ratio of two buffers of samples in dB; Infinity if they are equal. */
export function psnr(a: Buffer, b: Buffer): number {
  if (a.length !== b.length) return 0
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i]! - b[i]!) ** 2
  return sum === 0 ? Infinity : 10 * Math.log10((255 * 255 * a.length) / sum)
}

/** Returns how alike two pictures look on white, in dB; Infinity if they are equal, 0 for other sizes. */
export async function likeness(one: string | Buffer, other: string | Buffer): Promise<number> {
  const seen = (file: string | Buffer) =>
    sharp(file, { ignoreIcc: true })
      .toColourspace('srgb')
      .flatten({ background: '#fff' })
      .toColourspace('srgb')
      .removeAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer()
  const [a, b] = await Promise.all([seen(one), seen(other)])
  return psnr(a, b)
}

/** Whether two colours differ by at most `slack` in each channel. */
export const near = (a: readonly number[], b: readonly number[], slack = 12) =>
  b.every((value, channel) => Math.abs(value - a[channel]!) <= slack)

/** Matches a message without file names and program output. */
export const human = /^(?!.*[/\\])(?!.*(vips|libpng|undefined|Error\b))[A-Z].{10,}$/
