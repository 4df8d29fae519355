import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'

const { command, ...own } = program('fits/read.ts')

/** Makes a PGM of the wide numbers that telescopes and their programs write, which have no range of their own. */
export const fitsReader: Engine = {
  ...own,
  name: 'fits-reader',
  argv: (job) => [command, job.input, job.output],
}
