import type { Engine } from '../kernel/contract.ts'

/** Returns the source unchanged if nothing better was found (cp(1)). */
export const cp: Engine = {
  name: 'cp',
  binary: ['cp'],
  version: ['--version'],
  package: 'coreutils',
  argv: (job) => ['--reflink=auto', '--no-preserve=all', job.input, job.output],
}
