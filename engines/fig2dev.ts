import type { Engine } from '../kernel/contract.ts'

/** Converts Xfig drawings into other formats (fig2dev(1)). */
export const fig2dev: Engine = {
  name: 'fig2dev',
  binary: ['fig2dev'],
  version: ['-V'],
  package: 'fig2dev',
  argv: (job, args) => [args, job.input, job.output],
}
