import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'
import { told } from './node/told.ts'

const { command, ...node } = program('trace/trace.ts', ['sharp', '@img', 'detect-libc', 'semver'])

/** Traces a picture in colour into SVG, by potrace. The argument is the picture's resolution in dpi. */
export const tracer: Engine = {
  ...node,
  name: 'tracer',
  argv: (job, args) => [command, args, job.input, job.output],
  reason: told,
}
