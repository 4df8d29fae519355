import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'

const { command, ...node } = program('dxf/outlines.ts')

/** Refuses text DXF files if nothing is drawn in any. The arguments are the files. */
export const dxfOutlines: Engine = {
  ...node,
  name: 'dxf-outlines',
  argv: (_job, args) => [command, args],
}
