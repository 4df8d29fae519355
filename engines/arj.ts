import type { Engine } from '../kernel/contract.ts'

/** ARJ's own program. Unpacks into a folder, its output. Other programs misread Unix times in ARJ archives. */
export const arj: Engine = {
  name: 'arj',
  binary: ['arj'],
  version: ['-?'],
  package: 'arj',
  argv: (job, args) => ['x', '-y', '-i', args, job.input, `${job.output}/`],
}
