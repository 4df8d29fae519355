import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'

/** GStreamer's launcher with its encoder of adaptive multi-rate speech, which `amrWriter` pipes through. */
export const gstreamer: Engine = {
  name: 'gstreamer',
  binary: ['gst-launch-1.0'],
  version: ['--version'],
  package: 'gstreamer1.0-plugins-ugly',
  argv: (_job, args) => args,
}

const { command, ...node } = program('amr-writer/write.ts')

/**
 * Writes AMR narrow-band speech (RFC 4867 §5) out of raw 16-bit samples, 8,000 a second, one channel. The argument is
 * the mode, 0 (4.75 kbit/s) to 7 (12.2 kbit/s).
 */
export const amrWriter: Engine = {
  ...node,
  name: 'amr-writer',
  argv: (job, args) => [command, args, job.input, job.output],
}
