/** Reads a picture, its layers laid over one another, and writes it as PNG: `decode.ts CODER INPUT OUTPUT`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  Channels,
  ColorSpace,
  EvaluateOperator,
  type IMagickImage,
  ImageMagick,
  initializeImageMagick,
  MagickColors,
  MagickFormat,
  MagickReadSettings,
  ResourceLimits,
} from '@imagemagick/magick-wasm'
import { opacities } from './xcf.ts'

const [format, input, output] = process.argv.slice(2) as [MagickFormat, string, string]
await initializeImageMagick(readFileSync(fileURLToPath(import.meta.resolve('@imagemagick/magick-wasm/magick.wasm'))))
const file = readFileSync(input)
ResourceLimits.width = 16_384n
ResourceLimits.height = 16_384n

if (format === MagickFormat.Xcf)
  ImageMagick.readCollection(file, new MagickReadSettings({ format }), (layers) => {
    const visible = opacities(file)
    for (const [index, layer] of layers.entries()) {
      layer.backgroundColor = MagickColors.Transparent
      if (visible[index]! < 1) layer.evaluate(Channels.Alpha, EvaluateOperator.Multiply, visible[index]!)
    }
    layers.flatten(write)
  })
else ImageMagick.read(file, new MagickReadSettings({ format, frameIndex: 0, frameCount: 1 }), write)

function write(image: IMagickImage) {
  image.autoOrient()
  if (image.colorSpace !== ColorSpace.sRGB && image.colorSpace !== ColorSpace.Gray) image.colorSpace = ColorSpace.sRGB
  image.resetPage()
  image.write(MagickFormat.Png, (png) => writeFileSync(output, png))
}
