import type { Engine } from '../kernel/contract.ts'
import { pythonProgram } from './python/program.ts'

const { command, ...own } = pythonProgram('mail', 'page.py')

/**
 * Makes an HTML page of one mail. Pictures are embedded, attachments are listed by name. `--bare` leaves title and
 * author out of the page's metadata.
 */
export const mail: Engine = {
  ...own,
  name: 'mail',
  version: [...command, '--version'],
  package: 'python3-olefile',
  argv: (job, args) => [command, args, job.input, job.output],
}
