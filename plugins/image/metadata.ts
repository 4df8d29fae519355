import { exiftool } from '../../engines/exiftool.ts'
import type { Fact } from '../../engines/programs/sharp/spec.ts'
import type { Job, Run } from '../../kernel/contract.ts'
import { cameraRaw } from '../formats/raster/camera-raw.ts'
import type { Decoder } from './codec.ts'
import type { ImageOptions } from './options.ts'

/** Targets that hold EXIF, but whose encoders write none. */
const silent = ['tif', 'jxl', 'jp2', 'psd']
const holding = [...silent, 'jpg', 'png', 'webp', 'avif', 'heic']

/** Sources with EXIF that their decoders may leave behind. */
const described = [...cameraRaw, 'heic', 'jxl', 'jp2', 'psd']

const leaves = (decoder: Decoder | undefined) => decoder?.from.some((format) => described.includes(format)) ?? false

/** Whether `carryMetadata` may have something to do on the way from a source, by its decoder, to a target. */
export const mayCarry = (from: string | undefined, decoder: Decoder | undefined, to: string) =>
  leaves(decoder) || from === 'tif' ? holding.includes(to) : silent.includes(to)

/** All that describes a picture, but what is no longer true of it. */
const copied = ['-EXIF:all', '-XMP:all', '-IPTC:all', '--Orientation', '--ColorSpace', '--InteropIndex']
const left = ['--ThumbnailImage', '--PreviewImage', '--MakerNotes:all']

/** Copies from source to result what neither decoder, sharp nor encoder have: as well as it goes, for one file. */
export async function carryMetadata(
  job: Job<ImageOptions>,
  run: Run,
  decoder: Decoder | undefined,
  facts: Fact[],
): Promise<void> {
  const { stripMetadata, targetSizeKb } = job.options
  if (stripMetadata || targetSizeKb !== undefined || facts.length !== 1 || !mayCarry(job.from, decoder, job.to)) return
  const [[, , , seen]] = facts as [Fact]
  if (seen === 1 ? silent.includes(job.to) : seen === 2 || leaves(decoder)) await copyMetadata(job, run, job.output)
}

/** Copies what describes the job's source into another file, as well as it goes. */
export async function copyMetadata(job: Job, run: Run, input: string): Promise<void> {
  const args = ['-q', '-q', '-m', '-overwrite_original', '-TagsFromFile', job.input, copied, left]
  await run(exiftool, args, { input }).catch(() => undefined)
}
