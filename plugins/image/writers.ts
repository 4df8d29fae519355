import { ffmpegWriters } from './ffmpeg.ts'
import { heifWriter } from './heif.ts'
import { iconWriter } from './icons.ts'
import { jp2Writer } from './jp2.ts'
import { jxlWriter } from './jxl.ts'
import { jxrWriter } from './jxr.ts'
import { magickWriters } from './magick-writers.ts'
import type { Writer } from './stages.ts'

/** All writers. For each format, the first one is preferred. */
export const writers: readonly Writer[] = [
  heifWriter,
  jxlWriter,
  jp2Writer,
  jxrWriter,
  ...ffmpegWriters,
  iconWriter,
  ...magickWriters,
]
