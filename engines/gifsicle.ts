import type { Engine } from '../kernel/contract.ts'

/** Rewrites GIF, animated or not, without touching its colours unless told to (gifsicle(1)). */
export const gifsicle: Engine = {
  name: 'gifsicle',
  binary: ['gifsicle'],
  version: ['--version'],
  package: 'gifsicle',
  argv: (job, args) => ['--no-warnings', args, '-o', job.output, job.input],
}
