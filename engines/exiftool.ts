import type { Engine } from '../kernel/contract.ts'

/** Reads and copies metadata; no configuration file is read. */
export const exiftool: Engine = {
  name: 'exiftool',
  binary: ['exiftool'],
  version: ['-ver'],
  package: 'libimage-exiftool-perl',
  argv: (job, args) => ['-config', '', args, job.input],
}
