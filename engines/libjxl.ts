import type { Engine } from '../kernel/contract.ts'

/** Decodes JPEG XL. The output's extension names its format. */
export const djxl: Engine = {
  name: 'djxl',
  binary: ['djxl'],
  version: ['--version'],
  package: 'libjxl-tools',
  argv: (job, args) => [job.input, job.output, '--quiet', '--num_threads=1', args],
}

/** Encodes JPEG XL. By default, JPEG sources are converted without loss. */
export const cjxl: Engine = {
  name: 'cjxl',
  binary: ['cjxl'],
  version: ['--version'],
  package: 'libjxl-tools',
  argv: (job, args) => [job.input, job.output, '--quiet', '--num_threads=1', args],
}

/** Describes a JPEG XL file. */
export const jxlinfo: Engine = {
  name: 'jxlinfo',
  binary: ['jxlinfo'],
  version: ['--version'],
  package: 'libjxl-tools',
  argv: (job, args) => [args, job.input],
}
