import { cjxl, djxl } from '../../engines/libjxl.ts'
import type { Decoder, Encoder } from './codec.ts'

export const jxlDecoder: Decoder = {
  engine: djxl,
  from: ['jxl'],
  animated: true,
  decode: (_, run, { folder }) => run(djxl, [], { output: `${folder}/001.png` }),
}

/**
 * Butteraugli distance of a quality of 1 to 100, as libjxl 0.8 and later count it; older ones leave the range of
 * distances below 10. @see JxlEncoderDistanceFromQuality in jxl/encode.h
 */
const distance = (q: number) => (q >= 30 ? 0.1 + (100 - q) * 0.09 : (53 / 3000) * q * q - (23 / 20) * q + 25)

export const jxlEncoder: Encoder = {
  engine: cjxl,
  to: ['jxl'],
  deep: true,
  encode: (_, run, picture) =>
    run(cjxl, ['-d', picture.lossless ? 0 : distance(picture.quality ?? 85).toFixed(3), '-e', 4], picture),
}
