/** Decodes an image, with its layers merged, to PNG: `decode.ts CODER INPUT OUTPUT`. */
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
  MagickImage,
  MagickReadSettings,
  ResourceLimits,
} from '@imagemagick/magick-wasm'
import { canvasOf, opacities } from './xcf.ts'

const [format, input, output] = process.argv.slice(2) as [MagickFormat, string, string]
await initializeImageMagick(readFileSync(fileURLToPath(import.meta.resolve('@imagemagick/magick-wasm/magick.wasm'))))
const file = readFileSync(input)
ResourceLimits.width = 65_535n
ResourceLimits.height = 65_535n

if (format === MagickFormat.Xcf) {
  const [width, height] = canvasOf(file)
  ImageMagick.readCollection(file, new MagickReadSettings({ format }), (layers) => {
    const visible = opacities(file)
    for (const [index, layer] of layers.entries()) {
      layer.backgroundColor = MagickColors.Transparent
      if (visible[index]! < 1) layer.evaluate(Channels.Alpha, EvaluateOperator.Multiply, visible[index]!)
    }
    // Layers are as large as they are, where they are: the canvas is that of the lowest one.
    layers.unshift(MagickImage.create(MagickColors.Transparent, width, height))
    layers.flatten(write)
  })
} else ImageMagick.read(file, new MagickReadSettings({ format, frameIndex: 0, frameCount: 1 }), write)

function write(image: IMagickImage) {
  image.autoOrient()
  if (image.colorSpace !== ColorSpace.sRGB && image.colorSpace !== ColorSpace.Gray) image.colorSpace = ColorSpace.sRGB
  image.resetPage()
  trimProfile(image)
  image.write(MagickFormat.Png, (png) => writeFileSync(output, png))
}

/**
 * Cuts a colour profile to the length in its first four bytes (ICC.1, section 7.2), because PNG accepts no other, and
 * phones pad theirs. Removes truncated profiles.
 */
function trimProfile(image: IMagickImage) {
  const profile = image.getColorProfile()?.data
  if (!profile) return
  const length = profile.length < 128 ? 0 : new DataView(profile.buffer, profile.byteOffset).getUint32(0)
  if (length === profile.length) return
  // A copy: removing the profile frees its memory.
  const whole = length >= 128 && length < profile.length ? profile.slice(0, length) : undefined
  image.removeProfile('icc')
  if (whole) image.setProfile('icc', whole)
}
