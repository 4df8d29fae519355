import type { Engine } from '../kernel/contract.ts'

/** Reads and copies metadata. Without a home, there is no configuration that it would run. */
export const exiftool: Engine = {
  name: 'exiftool',
  binary: ['exiftool'],
  version: ['-ver'],
  package: 'libimage-exiftool-perl',
  argv: (job, args) => [args, job.input],
  sandbox: { env: { EXIFTOOL_HOME: '/var/empty' } },
}
