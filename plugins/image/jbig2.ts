import { jbig2dec } from '../../engines/jbig2dec.ts'
import type { Reader } from './stages.ts'

export const jbig2Reader: Reader = {
  from: ['jb2'],
  steps: [{ engine: jbig2dec, args: () => ['-t', 'png'], output: 'decoded/001.png' }],
}
