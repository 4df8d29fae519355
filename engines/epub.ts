import type { Engine } from '../kernel/contract.ts'
import { pythonProgram } from './python/program.ts'

const { command, ...own } = pythonProgram('epub', 'pack.py')

/** Makes an EPUB smaller without loss. With `--check` it only refuses locked books. */
export const epub: Engine = {
  ...own,
  name: 'epub-packer',
  version: ['--version'],
  package: 'python3',
  argv: (job, args) => [command, args, job.input, job.output],
}
