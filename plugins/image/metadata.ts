import { exiftool } from '../../engines/exiftool.ts'
import type { Exif } from '../../engines/programs/sharp/spec.ts'
import type { Args, Condition } from '../../kernel/contract.ts'
import { cameraRaw } from '../formats/raster/camera-raw.ts'
import type { ImageFacts, ImageStep } from './facts.ts'
import type { ImageOptions } from './options.ts'
import type { Reader } from './stages.ts'
import { traitsOf } from './targets.ts'

/** Sources with EXIF that their readers may drop. */
const holders = [...cameraRaw, 'heic', 'jxl', 'jp2', 'psd']

/** EXIF found by sharp, if the route from source to target loses metadata; empty if it loses none. */
export function losses(from: string, reader: Reader | undefined, to: string): readonly Exif[] {
  const leaves = reader?.from.some((format) => holders.includes(format))
  const { exif } = traitsOf(to)
  if (!exif) return []
  if (exif === 'copied') return leaves ? ['none', 'found', 'unknown'] : ['found', 'unknown']
  return leaves && !reader?.described ? ['none', 'unknown'] : from === 'tif' ? ['unknown'] : []
}

const LEFT = ['--ThumbnailImage', '--PreviewImage', '--MakerNotes:all', '--ColorSpace', '--InteropIndex']

/** What Canon's oldest raws (CRW) store in records of their own, which count as notes of the maker. */
const SHOT = ['Make', 'Model', 'DateTimeOriginal', 'ExposureTime', 'FNumber', 'ISO', 'FocalLength'].map(
  (tag) => `-${tag}`,
)

/** Arguments of ExifTool that copy all that describes a picture and is still valid after the conversion. */
export const describing = (source: string, ...others: readonly string[]): Args => [
  ['-TagsFromFile', source, SHOT],
  ['-TagsFromFile', source, '-EXIF:all', '-XMP:all', '-IPTC:all', LEFT, others],
]

/** Copies descriptive metadata of the source to the result, as far as possible. */
export const copyMetadata = (when: Condition<ImageOptions, ImageFacts>): ImageStep => ({
  engine: exiftool,
  when: { ...when, options: { stripMetadata: [undefined, false], targetSizeKb: [undefined] } },
  args: (job) => ['-q', '-q', '-m', '-overwrite_original', describing(job.input, '--Orientation')],
  output: false,
  optional: true,
})

/** Copies metadata that reader, sharp and writer lose, if sharp found one of these; only for one page. */
export const carry = (exif: readonly Exif[]): ImageStep[] =>
  exif.length > 0 ? [copyMetadata({ pages: 'one', more: { exif } })] : []
