import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'

const { command, ...node } = program('dxf/outlines.ts')

/** Passes a text DXF on that has something drawn in it, and refuses an empty one. */
export const dxfOutlines: Engine = {
  ...node,
  name: 'dxf-outlines',
  argv: (job, args) => [command, args, job.input, job.output],
}
