import type { Engine } from '../kernel/contract.ts'

/** Reads and copies metadata. With an empty home folder it finds no configuration file, which could run code. */
export const exiftool: Engine = {
  name: 'exiftool',
  binary: ['exiftool'],
  version: ['-ver'],
  package: 'libimage-exiftool-perl',
  argv: (job, args) => [args, job.input],
  sandbox: { env: { EXIFTOOL_HOME: '/var/empty' } },
}
