import type { Engine } from '../kernel/contract.ts'

/** Develops a camera's raw file by LibRaw. */
export const dcraw: Engine = {
  name: 'dcraw_emu',
  binary: ['dcraw_emu'],
  version: [],
  package: 'libraw-bin',
  argv: (job, args) => [args, '-Z', job.output, job.input],
}
