import type { Engine } from '../kernel/contract.ts'

/** Traces one bitmap (potrace(1)). It is run by the tracer, once a colour; named here so that it is looked for. */
export const potrace: Engine = {
  name: 'potrace',
  binary: ['potrace'],
  version: ['--version'],
  package: 'potrace',
  argv: (job, args) => [args, '-o', job.output, job.input],
}
