import type { Engine } from '../kernel/contract.ts'

/** Decodes JBIG2, with at most 512 MiB of memory. */
export const jbig2dec: Engine = {
  name: 'jbig2dec',
  binary: ['jbig2dec'],
  version: ['--version'],
  package: 'jbig2dec',
  argv: (job, args) => ['--quiet', '-M', 512 * 2 ** 20, args, '-o', job.output, job.input],
}
