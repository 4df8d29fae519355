import type { Engine, Step } from '../kernel/contract.ts'
import { pythonProgram, versionWith } from './python/program.ts'

const { command, ...own } = pythonProgram('chm', 'book.py')

/** Makes an EPUB of a compiled help file: all its pages, in the order of its contents. */
export const chm: Engine = {
  ...own,
  name: 'chm',
  version: versionWith('chm.chm', 'html5_parser', 'lxml.etree'),
  package: 'python3-chm',
  argv: (job) => [command, job.input, job.output],
}

/** Makes a book of a help file, for engines that would lose pages or letters of it. */
export const readHelp: Step = { engine: chm, when: { from: ['chm'] }, args: () => [], output: 'help.epub' }
