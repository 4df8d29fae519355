import type { Engine } from '../kernel/contract.ts'

/** Reads drawings and exports them, or answers `--query-…`. Arguments name the output themselves. */
export const inkscape: Engine = {
  name: 'inkscape',
  binary: ['inkscape'],
  version: ['--version'],
  package: 'inkscape',
  argv: (job, args) => [args, job.input],
}
