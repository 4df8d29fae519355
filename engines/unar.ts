import type { Engine } from '../kernel/contract.ts'

/** The Unarchiver. Unpacks one level into a folder, its output. */
export const unar: Engine = {
  name: 'unar',
  binary: ['unar'],
  version: ['-version'],
  package: 'unar',
  argv: (job, args) => ['-q', '-f', '-D', '-nr', '-k', 'skip', '-p', 'none', args, '-o', job.output, job.input],
}
