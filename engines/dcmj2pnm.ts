import type { Engine } from '../kernel/contract.ts'

/** Renders frames of a DICOM image. */
export const dcmj2pnm: Engine = {
  name: 'dcmj2pnm',
  binary: ['dcmj2pnm'],
  version: ['--version'],
  package: 'dcmtk',
  argv: (job, args) => ['--quiet', args, job.input, job.output],
}
