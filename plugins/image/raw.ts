import { dcraw } from '../../engines/dcraw.ts'
import { exiftool } from '../../engines/exiftool.ts'
import { fail } from '../../kernel/kit.ts'
import { without } from '../formats/family.ts'
import { cameraRaw } from '../formats/raster/camera-raw.ts'
import type { Reader } from './stages.ts'

/** What LibRaw reads. Canon's newest kind holds its picture in a way of its own. */
const from = without(cameraRaw, 'cr3')

/** Pictures that a camera puts beside its raw data; thumbnails are too small to stand for it. */
const PREVIEWS = ['-JpgFromRaw', '-JpgFromRaw2', '-PreviewImage', '-OtherImage']

/** Refuses the file unless the engine printed what is fine: its exit code does not tell. */
const checked = (fine: (lines: readonly string[]) => boolean) => (lines: readonly string[]) => {
  if (fine(lines)) return {}
  throw fail('CONVERSION_ERROR', 'The file could not be read as a camera raw, and holds no preview')
}

/** The largest picture that the camera made; `deep` looks for it among the tracks of a film, too. */
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
      args: ({ input }) => ['-overwrite_original', '-TagsFromFile', input, '-Orientation'],
      output: false,
    },
  ],
})

export const rawReaders: readonly Reader[] = [
  // Canon's films of one picture hold it as JPEG in full size; LibRaw lags behind their models.
  previews(['cr3'], true),
  {
    // By the camera's white balance, into sRGB.
    from,
    steps: [
      {
        engine: dcraw,
        args: () => ['-w', '-o', 1, '-T'],
        facts: checked((lines) => !lines.some((line) => /^Cannot /.test(line))),
        output: 'decoded/001.tif',
      },
    ],
  },
  previews(from),
]
