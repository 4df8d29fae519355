import type { Engine } from '../kernel/contract.ts'

/** Converts PostScript to vector drawings, with text as outlines (pstoedit(1)). It runs Ghostscript. */
export const pstoedit: Engine = {
  name: 'pstoedit',
  binary: ['pstoedit'],
  version: ['-v'],
  package: 'pstoedit',
  argv: (job, args) => ['-q', '-dt', args, job.input, job.output],
}
