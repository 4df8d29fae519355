import { dcraw } from '../../engines/dcraw.ts'
import { exiftool } from '../../engines/exiftool.ts'
import { without } from '../formats/family.ts'
import { cameraRaw } from '../formats/raster/camera-raw.ts'
import type { Decoder } from './codec.ts'
import { failure } from './failure.ts'

/** Read by LibRaw; Canon's newest kind has a way of its own. */
const from = without(cameraRaw, 'cr3')

/** Pictures that a camera puts beside its raw data; thumbnails are too small to stand for it. */
const PREVIEWS = ['-JpgFromRaw', '-JpgFromRaw2', '-PreviewImage', '-OtherImage']

const NOT_READ = 'The file could not be read as a camera raw, and holds no preview'

/** The largest picture that the camera made; `deep` looks for it among the tracks of a film, too. */
const previews = (from: readonly string[], deep = false): Decoder => ({
  engine: exiftool,
  from,
  largest: true,
  decode: async (job, run, { folder }) => {
    const lines = await run(exiftool, [deep && '-ee', '-b', '-a', '-W', `${folder}/%t%-c.%s`, PREVIEWS])
    if (!lines.some((line) => /^ *[1-9]\d* output files created/.test(line)))
      throw failure('CONVERSION_ERROR', NOT_READ)
    await run(exiftool, ['-overwrite_original', '-TagsFromFile', job.input, '-Orientation'], { input: folder })
  },
})

export const rawDecoders: readonly Decoder[] = [
  // Canon's films of one picture hold it as JPEG in full size; LibRaw lags behind their models.
  previews(['cr3'], true),
  {
    // By the camera's white balance, into sRGB.
    engine: dcraw,
    from,
    decode: async (_, run, { folder }) => {
      // It says so and ends as if all were well.
      const lines = await run(dcraw, ['-w', '-o', 1, '-T'], { output: `${folder}/001.tif` })
      if (lines.some((line) => /^Cannot /.test(line))) throw failure('CONVERSION_ERROR', NOT_READ)
    },
  },
  previews(from),
]
