import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { AlphaAction, ColorSpace, ImageMagick, initializeImageMagick, MagickFormat } from '@imagemagick/magick-wasm'
import type { Pixels } from './pixels.ts'

let ready: Promise<void> | undefined

async function start(): Promise<void> {
  const wasm = createRequire(import.meta.url).resolve('@imagemagick/magick-wasm/magick.wasm')
  await initializeImageMagick(await readFile(wasm))
}

/** Reads a picture with ImageMagick 7. The format is given, so that ImageMagick does not detect another one. */
export async function byMagick7(path: string, format: string): Promise<Pixels> {
  await (ready ??= start())
  const bytes = await readFile(path)
  return ImageMagick.readCollection(bytes, format.toUpperCase() as MagickFormat, (images) => {
    const largest = [...images].sort((a, b) => b.width - a.width)[0]
    if (!largest) throw new Error('no picture in it')
    if (!largest.hasAlpha) largest.alpha(AlphaAction.Opaque)
    if (largest.colorSpace === ColorSpace.RGB) largest.colorSpace = ColorSpace.sRGB
    largest.depth = 8
    return largest.write(MagickFormat.Rgba, (data) => ({
      width: largest.width,
      height: largest.height,
      data: Buffer.from(data),
    }))
  })
}
