import type { Engine } from '../kernel/contract.ts'
import { program, sharpModules } from './node/program.ts'

const { command, ...node } = program('trace/trace.ts', { modules: sharpModules })

/** Traces a colour image as SVG with potrace. The argument is the image's resolution in dpi. */
export const tracer: Engine = {
  ...node,
  name: 'tracer',
  argv: (job, args) => [command, args, job.input, job.output],
}
