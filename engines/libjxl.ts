import type { Engine } from '../kernel/contract.ts'

/** Decodes JPEG XL to the format that the output's extension names. */
export const djxl: Engine = {
  name: 'djxl',
  binary: ['djxl'],
  version: ['--version'],
  package: 'libjxl-tools',
  argv: (job, args) => [job.input, job.output, '--quiet', '--num_threads=1', args],
}

/** Encodes JPEG XL; from a JPEG without loss, unless told otherwise. */
export const cjxl: Engine = {
  name: 'cjxl',
  binary: ['cjxl'],
  version: ['--version'],
  package: 'libjxl-tools',
  argv: (job, args) => [job.input, job.output, '--quiet', '--num_threads=1', args],
}
