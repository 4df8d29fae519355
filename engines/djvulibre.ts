import type { Engine } from '../kernel/contract.ts'
import { pythonProgram, versionWith } from './python/program.ts'

/** Renders pages of DjVu. */
export const ddjvu: Engine = {
  name: 'ddjvu',
  binary: ['ddjvu'],
  version: ['--help'],
  package: 'djvulibre-bin',
  argv: (job, args) => [args, job.input, job.output],
}

/** Prints facts about a DjVu file. The argument is a script, which must only read. */
export const djvused: Engine = {
  name: 'djvused',
  binary: ['djvused'],
  version: ['--help'],
  package: 'djvulibre-bin',
  argv: (job, args) => [job.input, '-e', args],
}

/** Writes the hidden text of a DjVu file as UTF-8. */
export const djvutxt: Engine = {
  name: 'djvutxt',
  binary: ['djvutxt'],
  version: ['--help'],
  package: 'djvulibre-bin',
  argv: (job, args) => [args, job.input, job.output],
}

const { command, ...own } = pythonProgram('ocr', 'djvu.py')

/** Adds the words that `djvutxt` wrote to the pages that `ddjvu` wrote: see `programs/ocr/djvu.py`. */
export const djvuWords: Engine = {
  ...own,
  name: 'djvu-words',
  version: versionWith('pikepdf'),
  package: 'ocrmypdf',
  argv: (job) => [command, job.input, job.output],
}
