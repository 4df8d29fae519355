import type { Engine } from '../kernel/contract.ts'
import { pythonProgram } from './python/program.ts'

const { command, ...own } = pythonProgram('hwp', 'page.py')

/** Makes an HTML page of the text and the tables of a Hangul document, version 5 or HWPX. */
export const hwp: Engine = {
  ...own,
  name: 'hwp',
  version: [...command, '--version'],
  package: 'python3-olefile',
  argv: (job, args) => [command, args, job.input, job.output],
}
