import type { Engine } from '../kernel/contract.ts'

/**
 * Traces one bitmap (potrace(1)). The tracer runs it once per colour; it is declared here so that the probe finds it.
 */
export const potrace: Engine = {
  name: 'potrace',
  binary: ['potrace'],
  version: ['--version'],
  package: 'potrace',
  argv: (job, args) => [args, '-o', job.output, job.input],
}
