import type { Engine } from '../kernel/contract.ts'

/** Decodes JPEG 2000, boxed or a raw codestream: the signature decides, not the extension. */
export const opjDecompress: Engine = {
  name: 'opj_decompress',
  binary: ['opj_decompress'],
  version: ['-h'],
  package: 'libopenjp2-tools',
  argv: (job, args) => ['-i', job.input, '-o', job.output, args],
}

/** Encodes JPEG 2000 from PNG, without loss unless told otherwise. */
export const opjCompress: Engine = {
  name: 'opj_compress',
  binary: ['opj_compress'],
  version: ['-h'],
  package: 'libopenjp2-tools',
  argv: (job, args) => ['-i', job.input, '-o', job.output, args],
}
