import type { Engine } from '../kernel/contract.ts'

/** Rewrites still and animated GIF. Keeps the colours unless an argument changes them (gifsicle(1)). */
export const gifsicle: Engine = {
  name: 'gifsicle',
  binary: ['gifsicle'],
  version: ['--version'],
  package: 'gifsicle',
  argv: (job, args) => ['--no-warnings', args, '-o', job.output, job.input],
}
