import type { Engine } from '../kernel/contract.ts'

/** Renders pages of DjVu. */
export const ddjvu: Engine = {
  name: 'ddjvu',
  binary: ['ddjvu'],
  version: ['--help'],
  package: 'djvulibre-bin',
  argv: (job, args) => [args, job.input, job.output],
}

/** Answers questions about a DjVu file; the arguments are one script, which must only read. */
export const djvused: Engine = {
  name: 'djvused',
  binary: ['djvused'],
  version: ['--help'],
  package: 'djvulibre-bin',
  argv: (job, args) => [job.input, '-e', args],
}

/** Writes the text that lies behind the pages of a DjVu file, as UTF-8. */
export const djvutxt: Engine = {
  name: 'djvutxt',
  binary: ['djvutxt'],
  version: ['--help'],
  package: 'djvulibre-bin',
  argv: (job, args) => [args, job.input, job.output],
}
