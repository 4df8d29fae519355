import { coded, imagemagick } from '../../engines/imagemagick.ts'
import { jxrDecode, jxrEncode } from '../../engines/jxrlib.ts'
import { eachPage, type Reader, type Writer } from './stages.ts'
import { qualityOf } from './targets.ts'

export const jxrReader: Reader = {
  from: ['jxr'],
  steps: [{ engine: jxrDecode, output: 'decoded/001.tif' }],
}

/** Pixel formats by JxrEncApp's numbers. An alpha channel must be declared. */
const PIXELS = { colour: 9, alpha: 22 }

export const jxrWriter: Writer = {
  to: ['jxr'],
  engine: jxrEncode,
  steps: [
    {
      engine: imagemagick,
      each: 'page',
      args: (_, { input, output, page: { alpha } }) => [
        [coded('png', input), '-type', alpha ? 'TrueColorMatte' : 'TrueColor'],
        coded(alpha ? 'bmp' : 'bmp3', output),
      ],
      output: 'bitmaps/%03d.bmp',
    },
    {
      engine: jxrEncode,
      ...eachPage,
      args: (job, { page }) => [page.alpha && ['-c', PIXELS.alpha], '-q', Math.min(qualityOf(job), 99) / 100],
    },
  ],
}
