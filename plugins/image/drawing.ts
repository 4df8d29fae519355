import { inkscape } from '../../engines/inkscape.ts'
import { metafile } from '../formats/drawing.ts'
import type { Decoder } from './codec.ts'
import { failure } from './failure.ts'
import { resolution } from './resolution.ts'

/** Inkscape's own pixels, 96 an inch, in points. */
const POINTS = 72 / 96

export const drawingDecoder: Decoder = {
  engine: inkscape,
  from: metafile,
  decode: async (job, run, wanted) => {
    const numbers = (await run(inkscape, ['--query-width', '--query-height'])).map(Number).filter((n) => n > 0)
    const [width, height] = numbers.slice(-2).map((pixels) => pixels * POINTS)
    if (!width || !height) throw failure('CONVERSION_ERROR', 'The drawing is empty')
    const dots = resolution({ width, height }, wanted, job.options.fit)
    await run(inkscape, ['--export-type=png', `--export-dpi=${dots}`, `--export-filename=${wanted.folder}/001.png`])
  },
}
