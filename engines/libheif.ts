import type { Engine } from '../kernel/contract.ts'

/** Decodes HEIF, rotated and cropped as the file says. Several images become `name-1.png`, `name-2.png`, … */
export const heifConvert: Engine = {
  name: 'heif-convert',
  binary: ['heif-convert', 'heif-dec'],
  version: ['--version'],
  package: 'libheif-examples',
  argv: (job, args) => ['--quiet', args, job.input, job.output],
}

/** Encodes HEIF with HEVC (x265). */
export const heifEnc: Engine = {
  name: 'heif-enc',
  binary: ['heif-enc'],
  version: ['--version'],
  package: 'libheif-examples',
  argv: (job, args) => [args, '-o', job.output, job.input],
}
