import type { Engine } from '../kernel/contract.ts'

/** Reads AsciiDoc without including files, and writes DocBook. */
export const asciidoctor: Engine = {
  name: 'asciidoctor',
  binary: ['asciidoctor'],
  version: ['--version'],
  package: 'asciidoctor',
  // Otherwise a text without a date gets that of today.
  argv: (job, args) => ['-S', 'secure', '-q', '-a', 'reproducible', args, '-o', job.output, job.input],
}
