import { exiftool } from '../../engines/exiftool.ts'
import type { Exif } from '../../engines/programs/sharp/spec.ts'
import type { Condition, Step } from '../../kernel/contract.ts'
import { cameraRaw } from '../formats/raster/camera-raw.ts'
import type { ImageOptions } from './options.ts'
import type { Reader } from './stages.ts'

/** Targets that support EXIF, with encoders that write none. */
const silent = ['tif', 'jxl', 'jp2', 'psd']
const holding = [...silent, 'jpg', 'png', 'webp', 'avif', 'heic']

/** Sources with EXIF that their readers may drop. */
const described = [...cameraRaw, 'heic', 'jxl', 'jp2', 'psd']

/** EXIF found by sharp, if the route from source to target loses metadata; empty if it loses none. */
export function losses(from: string, reader: Reader | undefined, to: string): readonly Exif[] {
  const leaves = reader?.from.some((format) => described.includes(format))
  if (silent.includes(to)) return leaves ? [0, 1, 2] : [1, 2]
  if (!holding.includes(to)) return []
  return leaves && !reader?.described ? [0, 2] : from === 'tif' ? [2] : []
}

/** All that describes a picture and is still valid after the conversion. */
const copied = ['-EXIF:all', '-XMP:all', '-IPTC:all', '--Orientation', '--ColorSpace', '--InteropIndex']
const left = ['--ThumbnailImage', '--PreviewImage', '--MakerNotes:all']

/** Copies descriptive metadata of the source to the result, as far as possible. */
export const copyMetadata = (when: Condition<ImageOptions>): Step<ImageOptions> => ({
  engine: exiftool,
  when: { ...when, options: { stripMetadata: [undefined, false], targetSizeKb: [undefined] } },
  args: (job) => ['-q', '-q', '-m', '-overwrite_original', '-TagsFromFile', job.input, copied, left],
  output: false,
  optional: true,
})

/** Copies metadata that reader, sharp and writer lose, if sharp found one of these; only for one page. */
export const carry = (exif: readonly Exif[]): Step<ImageOptions>[] =>
  exif.length > 0 ? [copyMetadata({ pages: 'one', more: { exif } })] : []
