import type { Engine } from '../kernel/contract.ts'

/** Reads AsciiDoc without including files, and writes DocBook. */
export const asciidoctor: Engine = {
  name: 'asciidoctor',
  binary: ['asciidoctor'],
  version: ['--version'],
  package: 'asciidoctor',
  argv: (job, args) => ['-S', 'secure', '-q', args, '-o', job.output, job.input],
}
