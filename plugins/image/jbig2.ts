import { jbig2dec } from '../../engines/jbig2dec.ts'
import type { Decoder } from './codec.ts'

export const jbig2Decoder: Decoder = {
  engine: jbig2dec,
  from: ['jb2'],
  decode: (_, run, { folder }) => run(jbig2dec, ['-t', 'png'], { output: `${folder}/001.png` }),
}
