import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'

const { command, ...node } = program('dxf/outlines.ts')

/** Copies a text DXF, and refuses one in which nothing is drawn. */
export const dxfOutlines: Engine = {
  ...node,
  name: 'dxf-outlines',
  argv: (job, args) => [command, args, job.input, job.output],
}
