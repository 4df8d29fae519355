import type { Engine } from '../kernel/contract.ts'

/** Writes every image of an Apple icon into the folder that the output names. */
export const icns2png: Engine = {
  name: 'icns2png',
  binary: ['icns2png'],
  version: ['--version'],
  package: 'icnsutils',
  argv: (job, args) => ['-x', '-o', job.output, args, job.input],
}
