import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'

const { command, ...own } = program('fits/read.ts')

/** Makes a PGM from images with wide integers or floating-point numbers, which define no range for black and white. */
export const fitsReader: Engine = {
  ...own,
  name: 'fits-reader',
  argv: (job) => [command, job.input, job.output],
}
