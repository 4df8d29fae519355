import type { Engine } from '../kernel/contract.ts'
import { pythonProgram, versionWith } from './python/program.ts'

const { command, ...own } = pythonProgram('epub', 'pack.py')

/**
 * Makes an EPUB smaller without loss. `--clean` instead rewrites a book with odd paths, character sets or markup so
 * that other programs read all of it; `--flat` replaces cover pages in SVG. Both refuse locked books.
 */
export const epub: Engine = {
  ...own,
  name: 'epub-packer',
  version: versionWith('lxml.etree'),
  package: 'python3-lxml',
  argv: (job, args) => [command, args, job.input, job.output],
}
