import type { Engine } from '../kernel/contract.ts'

/** Decodes JPEG XR. The input must have the extension `jxr`; the output's extension names its format. */
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
