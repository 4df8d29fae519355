import type { Engine } from '../kernel/contract.ts'

/** Recompresses PNG without loss (optipng(1)). */
export const optipng: Engine = {
  name: 'optipng',
  binary: ['optipng'],
  version: ['-v'],
  package: 'optipng',
  argv: (job, args) => ['-quiet', '-force', args, '-out', job.output, '--', job.input],
}
