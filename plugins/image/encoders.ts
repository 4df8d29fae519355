import type { Encoder } from './codec.ts'
import { ffmpegEncoders } from './ffmpeg.ts'
import { heifEncoder } from './heif.ts'
import { iconEncoders } from './icons.ts'
import { jp2Encoder } from './jp2.ts'
import { jxlEncoder } from './jxl.ts'
import { jxrEncoder } from './jxr.ts'
import { magickEncoders } from './magick-encoders.ts'

/** Every encoder; of those that write a format, the first is the preferred. */
export const encoders: readonly Encoder[] = [
  ...[heifEncoder, jxlEncoder, jp2Encoder, jxrEncoder],
  ...ffmpegEncoders,
  ...iconEncoders,
  ...magickEncoders,
]
