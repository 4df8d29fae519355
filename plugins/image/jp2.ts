import { opjCompress, opjDecompress } from '../../engines/openjpeg.ts'
import type { Page } from '../../kernel/contract.ts'
import { eachPage, type Reader, type Writer } from './stages.ts'
import { sized } from './target-size.ts'
import { qualityOf } from './targets.ts'

export const jp2Reader: Reader = {
  from: ['jp2'],
  steps: [{ engine: opjDecompress, output: 'decoded/001.png' }],
}

/** JPEG 2000 has a target signal-to-noise ratio: quality 1 to 100 becomes 20 to 70 dB, and 50 is 45 dB. */
const loss = (quality: number) => ['-I', '-q', 20 + quality / 2]

/** Each resolution halves the sides. The smallest must have at least one pixel. */
const resolutions = ({ width = 1, height = 1 }: Page) => Math.min(6, Math.floor(Math.log2(Math.min(width, height))) + 1)

export const jp2Writer: Writer = {
  to: ['jp2'],
  steps: sized({
    engine: opjCompress,
    ...eachPage,
    args: (job, { page }) => [job.options.lossless ? [] : loss(qualityOf(job)), '-n', resolutions(page)],
  }),
}
