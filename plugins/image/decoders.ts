import type { Decoder } from './codec.ts'
import { dicomDecoder } from './dicom.ts'
import { drawingDecoder } from './drawing.ts'
import { ffmpegDecoders, textureDecoder } from './ffmpeg.ts'
import { heifDecoder } from './heif.ts'
import { icnsDecoders } from './icons.ts'
import { jbig2Decoder } from './jbig2.ts'
import { jp2Decoder } from './jp2.ts'
import { jxlDecoder } from './jxl.ts'
import { jxrDecoder } from './jxr.ts'
import { magickDecoders } from './magick.ts'
import { pageDecoders } from './pages.ts'
import { rawDecoders } from './raw.ts'

/** Every decoder; of those that read a format, the first is the preferred. */
export const decoders: readonly Decoder[] = [
  ...[heifDecoder, jxlDecoder, jp2Decoder, jxrDecoder, dicomDecoder, jbig2Decoder],
  ...icnsDecoders,
  ...ffmpegDecoders,
  ...rawDecoders,
  ...pageDecoders,
  drawingDecoder,
  ...magickDecoders,
  textureDecoder,
]
