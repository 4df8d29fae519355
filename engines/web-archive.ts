import type { Engine } from '../kernel/contract.ts'
import { pythonProgram, versionWith } from './python/program.ts'

const { command, ...own } = pythonProgram('web-archive', 'page.py')

/**
 * Makes one HTML page of a web archive (MHTML), with its pictures and style sheets embedded and without scripts.
 * `--flow` puts frames into the page itself. `--bare` leaves out title, author and description.
 */
export const webArchive: Engine = {
  ...own,
  name: 'web-archive',
  version: versionWith('html5_parser', 'lxml.etree'),
  package: 'python3-html5-parser',
  argv: (job, args) => [command, args, job.input, job.output],
}
