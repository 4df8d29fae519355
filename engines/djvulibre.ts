import type { Engine } from '../kernel/contract.ts'

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
