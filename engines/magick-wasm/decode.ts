/** Reads a picture, its layers laid over one another, and writes it as PNG: `decode.ts CODER INPUT OUTPUT`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  ColorSpace,
  type IMagickImage,
  ImageMagick,
  initializeImageMagick,
  MagickColors,
  MagickFormat,
  MagickReadSettings,
  ResourceLimits,
} from '@imagemagick/magick-wasm'

const [format, input, output] = process.argv.slice(2) as [MagickFormat, string, string]
await initializeImageMagick(readFileSync(fileURLToPath(import.meta.resolve('@imagemagick/magick-wasm/magick.wasm'))))
ResourceLimits.width = 16_384n
ResourceLimits.height = 16_384n

if (format === MagickFormat.Xcf)
  ImageMagick.readCollection(readFileSync(input), new MagickReadSettings({ format }), (layers) => {
    for (const layer of layers) layer.backgroundColor = MagickColors.Transparent
    layers.flatten(write)
  })
else ImageMagick.read(readFileSync(input), new MagickReadSettings({ format, frameIndex: 0, frameCount: 1 }), write)

function write(image: IMagickImage) {
  image.autoOrient()
  if (image.colorSpace !== ColorSpace.sRGB && image.colorSpace !== ColorSpace.Gray) image.colorSpace = ColorSpace.sRGB
  image.resetPage()
  image.write(MagickFormat.Png, (png) => writeFileSync(output, png))
}
