import type { Engine } from '../kernel/contract.ts'

/** Develops camera raw files with LibRaw. */
export const dcraw: Engine = {
  name: 'dcraw_emu',
  binary: ['dcraw_emu'],
  version: [],
  package: 'libraw-bin',
  argv: (job, args) => [args, '-Z', job.output, job.input],
}
