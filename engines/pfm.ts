import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'

const { command, ...own } = program('pfm/read.ts')

/** Makes a PPM of 16 bits from a portable float map. */
export const pfmReader: Engine = {
  ...own,
  name: 'pfm-reader',
  argv: (job) => [command, job.input, job.output],
}
