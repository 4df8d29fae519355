import { dcraw } from '../../engines/dcraw.ts'
import { exiftool } from '../../engines/exiftool.ts'
import { fail } from '../../kernel/kit.ts'
import { without } from '../formats/family.ts'
import { cameraRaw } from '../formats/raster/camera-raw.ts'
import { describing } from './metadata.ts'
import type { Reader } from './stages.ts'

/** Formats that LibRaw reads. Canon's newest raws store their picture differently. */
const from = without(cameraRaw, 'cr3')

/** Pictures that a camera stores next to its raw data. Thumbnails are too small to replace it. */
const PREVIEWS = ['-JpgFromRaw', '-JpgFromRaw2', '-PreviewImage', '-OtherImage']

/** Targets for picture editors, which get 16 bits. Elsewhere 8 bits show the same, at a quarter of the size. */
const edited = ['tif', 'psd']

/** Refuses the file unless `fine` accepts the engine's output: its exit code tells nothing. */
const checked = (fine: (lines: readonly string[]) => boolean) => (lines: readonly string[]) => {
  if (fine(lines)) return {}
  throw fail('CONVERSION_ERROR', 'The file could not be read as a camera raw, and holds no preview')
}

/** Returns the camera's largest picture. `deep` also searches the tracks of a video. */
const previews = (from: readonly string[], deep = false): Reader => ({
  from,
  pages: 'largest',
  steps: [
    {
      engine: exiftool,
      args: (_, { output }) => [deep && '-ee', '-b', '-a', '-W', `${output}/%t%-c.%s`, PREVIEWS],
      facts: checked((lines) => lines.some((line) => /^ *[1-9]\d* output files created/.test(line))),
      output: 'decoded/',
    },
    {
      engine: exiftool,
      // Previews hold little metadata, or none. The resolution of a raw has no meaning.
      args: ({ input }) => ['-overwrite_original', '-m', describing(input, '--XResolution', '--YResolution')],
      output: false,
    },
  ],
})

export const rawReaders: readonly Reader[] = [
  // Canon's videos of one picture contain it as a full-size JPEG. LibRaw does not support the newest models.
  previews(['cr3'], true),
  {
    // With the camera's white balance, as sRGB.
    from,
    steps: [
      {
        engine: dcraw,
        args: ({ to }) => ['-w', '-o', 1, '-T', edited.includes(to) && '-6'],
        facts: checked((lines) => !lines.some((line) => /^Cannot |: data corrupted at /.test(line))),
        output: 'decoded/001.tif',
      },
    ],
  },
  previews(from),
]
