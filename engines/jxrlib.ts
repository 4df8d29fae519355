import type { Engine } from '../kernel/contract.ts'

/** Decodes JPEG XR; the input's extension must be `jxr`, the output's decides its format. */
export const jxrDecode: Engine = {
  name: 'JxrDecApp',
  binary: ['JxrDecApp'],
  version: [],
  package: 'libjxr-tools',
  argv: (job, args) => ['-i', job.input, '-o', job.output, args],
}

/** Encodes JPEG XR from BMP or TIFF. */
export const jxrEncode: Engine = {
  name: 'JxrEncApp',
  binary: ['JxrEncApp'],
  version: [],
  package: 'libjxr-tools',
  argv: (job, args) => ['-i', job.input, '-o', job.output, args],
}
