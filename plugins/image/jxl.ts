import { cjxl, djxl } from '../../engines/libjxl.ts'
import { eachPage, type Reader, type Writer } from './stages.ts'
import { sized } from './target-size.ts'

export const jxlReader: Reader = {
  from: ['jxl'],
  moving: true,
  steps: [{ engine: djxl, output: 'decoded/001.png' }],
}

/**
 * Butteraugli distance of a quality of 1 to 100, as libjxl 0.8 and later count it; older ones leave the range of
 * distances below 10. @see JxlEncoderDistanceFromQuality in jxl/encode.h
 */
const distance = (q: number) => (q >= 30 ? 0.1 + (100 - q) * 0.09 : (53 / 3000) * q * q - (23 / 20) * q + 25)

export const jxlWriter: Writer = {
  to: ['jxl'],
  deep: true,
  steps: sized({
    engine: cjxl,
    ...eachPage,
    args: ({ options: { lossless, quality = 85 } }) => ['-d', lossless ? 0 : distance(quality).toFixed(3), '-e', 4],
  }),
}
