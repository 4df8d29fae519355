import type { Engine } from '../kernel/contract.ts'
import { outlines } from './fonts/outlines.ts'

/** Exports drawings, or prints the answer to `--query-…`. */
export const inkscape: Engine = {
  name: 'inkscape',
  binary: ['inkscape'],
  version: ['--version'],
  package: 'inkscape',
  argv: (job, args) => {
    const asks = args.some((arg) => arg.startsWith('--query-'))
    return [!asks && `--export-filename=${job.output}`, args, job.input]
  },
  sandbox: outlines,
}
