import type { Engine } from '../kernel/contract.ts'

/** Turns PostScript into drawings of lines, text as outlines (pstoedit(1)); it runs Ghostscript. */
export const pstoedit: Engine = {
  name: 'pstoedit',
  binary: ['pstoedit'],
  version: ['-v'],
  package: 'pstoedit',
  argv: (job, args) => ['-q', '-dt', args, job.input, job.output],
}
