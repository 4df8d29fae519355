import type { Engine } from '../kernel/contract.ts'

/** Renders frames of a DICOM image. */
export const dcmj2pnm: Engine = {
  name: 'dcmj2pnm',
  binary: ['dcmj2pnm'],
  version: ['--version'],
  package: 'dcmtk',
  argv: (job, args) => ['--quiet', args, job.input, job.output],
}

/** The same for DICOM images that contain JPEG-LS. */
export const dcml2pnm: Engine = { ...dcmj2pnm, name: 'dcml2pnm', binary: ['dcml2pnm'] }
