import { dcraw } from '../../engines/dcraw.ts'
import { exiftool } from '../../engines/exiftool.ts'
import type { Decoder } from './codec.ts'
import { failure } from './failure.ts'

// Canon's cr3 is not among them: no sample of it could be made or had, so nothing is proved.
const from = ['dng', 'cr2', 'crw', 'nef', 'arw', 'orf', 'raf', 'rw2', 'pef', 'srw']

/** Pictures that a camera puts beside its raw data; thumbnails are too small to stand for it. */
const PREVIEWS = ['-JpgFromRaw', '-JpgFromRaw2', '-PreviewImage', '-OtherImage']

const NOT_READ = 'The file could not be read as a camera raw, and holds no preview'

export const rawDecoders: readonly Decoder[] = [
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
  {
    engine: exiftool,
    from,
    largest: true,
    decode: async (job, run, { folder }) => {
      const lines = await run(exiftool, ['-b', '-a', '-W', `${folder}/%t%-c.%s`, PREVIEWS])
      if (!lines.some((line) => /^ *[1-9]\d* output files created/.test(line)))
        throw failure('CONVERSION_ERROR', NOT_READ)
      await run(exiftool, ['-overwrite_original', '-TagsFromFile', job.input, '-Orientation'], { input: folder })
    },
  },
]
