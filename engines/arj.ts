import type { Engine } from '../kernel/contract.ts'

/** ARJ's own program. Unpacks into a folder, which is its output; other programs misread the times of Unix in it. */
export const arj: Engine = {
  name: 'arj',
  binary: ['arj'],
  version: ['-?'],
  package: 'arj',
  argv: (job, args) => ['x', '-y', '-i', args, job.input, `${job.output}/`],
}
