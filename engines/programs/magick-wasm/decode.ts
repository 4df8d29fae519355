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
  trimProfile(image)
  image.write(MagickFormat.Png, (png) => writeFileSync(output, png))
}

/**
 * Makes a colour profile as long as its first four bytes say (ICC.1, section 7.2): PNG takes no other, and phones fill
 * theirs up. One that is cut goes.
 */
function trimProfile(image: IMagickImage) {
  const profile = image.getColorProfile()?.data
  if (!profile) return
  const length = profile.length < 128 ? 0 : new DataView(profile.buffer, profile.byteOffset).getUint32(0)
  if (length === profile.length) return
  // A copy: the profile lies in memory of the picture, which removing it frees.
  const whole = length >= 128 && length < profile.length ? profile.slice(0, length) : undefined
  image.removeProfile('icc')
  if (whole) image.setProfile('icc', whole)
}
