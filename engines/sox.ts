import type { Engine } from '../kernel/contract.ts'

/** SoX, for speech codecs whose silence FFmpeg loses (sox(1)). The arguments are the input's, such as its type. */
export const sox: Engine = {
  name: 'sox',
  binary: ['sox'],
  version: ['--version'],
  package: 'libsox-fmt-base',
  argv: (job, args) => ['-V1', '--no-glob', args, job.input, '-t', 'wav', job.output],
}
