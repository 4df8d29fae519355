import type { Engine } from '../kernel/contract.ts'

/**
 * SoX, for speech codecs in which FFmpeg loses silence (sox(1)). The arguments are options of the input, such as its
 * type.
 */
export const sox: Engine = {
  name: 'sox',
  binary: ['sox'],
  version: ['--version'],
  package: 'libsox-fmt-base',
  argv: (job, args) => ['-V1', '--no-glob', args, job.input, '-t', 'wav', job.output],
}
