import { dicomReaders, jlsReader, jpegReader } from './dicom.ts'
import { drawingReader, svgReaders } from './drawing.ts'
import { ffmpegReaders, textureReader } from './ffmpeg.ts'
import { heifReader } from './heif.ts'
import { icnsReaders } from './icons.ts'
import { jbig2Reader } from './jbig2.ts'
import { jp2Reader } from './jp2.ts'
import { jxlReader } from './jxl.ts'
import { jxrReader } from './jxr.ts'
import { magickReaders } from './magick.ts'
import { pageReaders } from './pages.ts'
import { rawReaders } from './raw.ts'
import type { Reader } from './stages.ts'

/** All readers. For each format, the first one is preferred. */
export const readers: readonly Reader[] = [
  heifReader,
  jxlReader,
  jp2Reader,
  jxrReader,
  ...dicomReaders,
  jbig2Reader,
  ...icnsReaders,
  ...ffmpegReaders,
  ...rawReaders,
  ...pageReaders,
  drawingReader,
  ...svgReaders,
  ...magickReaders,
  textureReader,
  jlsReader,
  jpegReader,
]
