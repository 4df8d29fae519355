import type { Engine } from '../kernel/contract.ts'

/** Decodes JPEG 2000: a JP2 file or a raw codestream, by its signature. */
export const opjDecompress: Engine = {
  name: 'opj_decompress',
  binary: ['opj_decompress'],
  version: ['-h'],
  package: 'libopenjp2-tools',
  argv: (job, args) => ['-i', job.input, '-o', job.output, args],
}

/** Encodes JPEG 2000 from PNG. Lossless by default. */
export const opjCompress: Engine = {
  name: 'opj_compress',
  binary: ['opj_compress'],
  version: ['-h'],
  package: 'libopenjp2-tools',
  argv: (job, args) => ['-i', job.input, '-o', job.output, args],
}
