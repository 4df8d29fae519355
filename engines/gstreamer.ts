import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'

/** GStreamer's launcher with its encoder for AMR speech. `amrWriter` runs it. */
export const gstreamer: Engine = {
  name: 'gstreamer',
  binary: ['gst-launch-1.0'],
  version: ['--version'],
  package: 'gstreamer1.0-plugins-ugly',
  argv: (_job, args) => args,
}

const { command, ...node } = program('amr-writer/write.ts')

/**
 * Writes AMR narrow-band speech (RFC 4867 §5) from raw 16-bit samples at 8,000 Hz, one channel. The argument is the
 * mode, 0 (4.75 kbit/s) to 7 (12.2 kbit/s).
 */
export const amrWriter: Engine = {
  ...node,
  name: 'amr-writer',
  argv: (job, args) => [command, args, job.input, job.output],
}
