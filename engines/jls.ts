import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'

const { command, ...own } = program('jls/wrap.ts')

/**
 * Puts a JPEG-LS picture, a lossless JPEG or one of 12 bits into a DICOM file, or with `--check` refuses one that
 * FFmpeg decodes wrongly.
 */
export const jlsWrapper: Engine = {
  ...own,
  name: 'jls-wrapper',
  argv: (job, [check]) => [command, check, job.input, !check && job.output],
}
