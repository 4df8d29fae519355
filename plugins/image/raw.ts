import { dcraw } from '../../engines/dcraw.ts'
import { exiftool } from '../../engines/exiftool.ts'
import type { Decoder } from './codec.ts'

const from = ['dng', 'cr2', 'cr3', 'crw', 'nef', 'arw', 'orf', 'raf', 'rw2', 'pef', 'srw']

/** Pictures that a camera puts beside its raw data; thumbnails are too small to stand for it. */
const PREVIEWS = ['-JpgFromRaw', '-JpgFromRaw2', '-PreviewImage', '-OtherImage']

export const rawDecoders: readonly Decoder[] = [
  {
    // By the camera's white balance, into sRGB.
    engine: dcraw,
    from,
    decode: (_, run, { folder }) => run(dcraw, ['-w', '-o', 1, '-T'], { output: `${folder}/001.tif` }),
  },
  {
    engine: exiftool,
    from,
    largest: true,
    decode: async (job, run, { folder }) => {
      await run(exiftool, ['-b', '-a', '-W', `${folder}/%t%-c.%s`, PREVIEWS])
      await run(exiftool, ['-overwrite_original', '-TagsFromFile', job.input, '-Orientation'], { input: folder })
    },
  },
]
