import { heifDecode, heifEnc } from '../../engines/libheif.ts'
import { tone } from '../../engines/tone.ts'
import { eachPage, type Reader, type Writer } from './stages.ts'
import { sized } from './target-size.ts'
import { qualityOf } from './targets.ts'

export const heifReader: Reader = {
  from: ['heic'],
  pages: 'all',
  described: true,
  steps: [{ engine: heifDecode, needs: ['hevc'], output: 'decoded/page.png' }],
}

/** Tone maps still AVIF of high dynamic range, which sharp refuses. */
export const brightReader: Reader = {
  from: ['avif'],
  pages: 'all',
  described: true,
  steps: [{ engine: heifDecode, output: 'decoded/page.png' }],
}

/** Tone maps PNG of high dynamic range, which sharp refuses. */
export const brightPngReader: Reader = {
  from: ['png'],
  described: true,
  steps: [{ engine: tone, output: 'decoded/001.png' }],
}

/** Lossless needs all three: no quantisation, no subsampling, and no colour conversion. */
const exact = ['-L', '-p', 'chroma=444', '--matrix_coefficients=0']

export const heifWriter: Writer = {
  to: ['heic'],
  steps: sized({
    engine: heifEnc,
    ...eachPage,
    args: (job) => [job.options.lossless ? exact : ['-q', qualityOf(job)], '-p', 'preset=veryfast'],
  }),
}
