import { exiftool } from '../../engines/exiftool.ts'
import type { Exif } from '../../engines/programs/sharp/spec.ts'
import type { Condition, Step } from '../../kernel/contract.ts'
import { cameraRaw } from '../formats/raster/camera-raw.ts'
import type { ImageOptions } from './options.ts'
import type { Reader } from './stages.ts'

/** Targets that hold EXIF, but whose encoders write none. */
const silent = ['tif', 'jxl', 'jp2', 'psd']
const holding = [...silent, 'jpg', 'png', 'webp', 'avif', 'heic']

/** Sources with EXIF that their readers may leave behind. */
const described = [...cameraRaw, 'heic', 'jxl', 'jp2', 'psd']

/** What sharp may find of EXIF when the way from a source to a target loses metadata; empty when it loses none. */
export function losses(from: string, reader: Reader | undefined, to: string): readonly Exif[] {
  const leaves = reader?.from.some((format) => described.includes(format))
  if (silent.includes(to)) return leaves ? [0, 1, 2] : [1, 2]
  if (!holding.includes(to)) return []
  return leaves ? [0, 2] : from === 'tif' ? [2] : []
}

/** All that describes a picture and is still valid after the conversion. */
const copied = ['-EXIF:all', '-XMP:all', '-IPTC:all', '--Orientation', '--ColorSpace', '--InteropIndex']
const left = ['--ThumbnailImage', '--PreviewImage', '--MakerNotes:all']

/** Copies what describes the source into the result, as well as it goes. */
export const copyMetadata = (when: Condition<ImageOptions>): Step<ImageOptions> => ({
  engine: exiftool,
  when: { ...when, options: { stripMetadata: [undefined, false], targetSizeKb: [undefined] } },
  args: (job) => ['-q', '-q', '-m', '-overwrite_original', '-TagsFromFile', job.input, copied, left],
  output: false,
  optional: true,
})

/** Copies what neither reader, sharp nor writer have, when sharp found one of these; for one page only. */
export const carry = (exif: readonly Exif[]): Step<ImageOptions>[] =>
  exif.length > 0 ? [copyMetadata({ pages: 'one', more: { exif } })] : []
