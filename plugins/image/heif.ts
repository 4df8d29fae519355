import { heifConvert, heifEnc } from '../../engines/libheif.ts'
import type { Decoder, Encoder } from './codec.ts'

export const heifDecoder: Decoder = {
  engine: heifConvert,
  from: ['heic'],
  paged: true,
  decode: (_, run, { folder }) => run(heifConvert, [], { output: `${folder}/page.png` }),
}

/** Lossless needs all three: no quantisation, no subsampling, and no change of colours on the way. */
const lossless = ['-L', '-p', 'chroma=444', '--matrix_coefficients=0']

export const heifEncoder: Encoder = {
  engine: heifEnc,
  to: ['heic'],
  encode: (_, run, picture) =>
    run(heifEnc, [picture.lossless ? lossless : ['-q', picture.quality ?? 55], '-p', 'preset=veryfast'], picture),
}
