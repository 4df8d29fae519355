import { coded, imagemagick } from '../../engines/imagemagick.ts'
import { jxrDecode, jxrEncode } from '../../engines/jxrlib.ts'
import type { Decoder, Encoder } from './codec.ts'

export const jxrDecoder: Decoder = {
  engine: jxrDecode,
  from: ['jxr'],
  decode: (_, run, { folder }) => run(jxrDecode, [], { output: `${folder}/001.tif` }),
}

/** Pixel formats by JxrEncApp's numbers: an alpha channel must be announced. */
const PIXELS = { colour: 9, alpha: 22 }

export const jxrEncoder: Encoder = {
  engine: jxrEncode,
  uses: [imagemagick],
  to: ['jxr'],
  encode: async (job, run, { input, output, alpha, quality }) => {
    const bitmap = `${job.scratch}/picture.bmp`
    await run(imagemagick, [
      [coded('png', input), '-type', alpha ? 'TrueColorMatte' : 'TrueColor'],
      coded(alpha ? 'bmp' : 'bmp3', bitmap),
    ])
    const loss = Math.min(quality ?? 85, 99) / 100
    await run(jxrEncode, [alpha && ['-c', PIXELS.alpha], '-q', loss], { input: bitmap, output })
  },
}
