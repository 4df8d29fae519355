import type { Engine } from '../kernel/contract.ts'

/** Decodes FLAC to WAV, of any length (flac(1)): samples of 32 bits too, which FFmpeg refuses. */
export const flac: Engine = {
  name: 'flac',
  binary: ['flac'],
  version: ['--version'],
  package: 'flac',
  argv: (job) => ['--decode', '--silent', '--force', '--force-rf64-format', '-o', job.output, job.input],
}
