import { opjCompress, opjDecompress } from '../../engines/openjpeg.ts'
import type { Decoder, Encoder, Picture } from './codec.ts'

export const jp2Decoder: Decoder = {
  engine: opjDecompress,
  from: ['jp2'],
  decode: (_, run, { folder }) => run(opjDecompress, [], { output: `${folder}/001.png` }),
}

/** JPEG 2000 aims at a ratio of signal to noise: quality 1 to 100 becomes 20 to 70 dB, and 50 is 45 dB. */
const loss = (quality: number) => ['-I', '-q', 20 + quality / 2]

/** Each resolution halves the sides; the smallest must keep a pixel. */
const resolutions = ({ width, height }: Picture) => Math.min(6, Math.floor(Math.log2(Math.min(width, height))) + 1)

export const jp2Encoder: Encoder = {
  engine: opjCompress,
  to: ['jp2'],
  deep: true,
  encode: (_, run, picture) =>
    run(opjCompress, [picture.lossless ? [] : loss(picture.quality ?? 50), '-n', resolutions(picture)], picture),
}
