import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'

/** V8 must not optimise this module: it takes 20 times longer than any conversion, and 5 times the memory. */
const { command, ...node } = program('libredwg/dxf.ts', {
  modules: ['@mlightcad/libredwg-web'],
  flags: ['--liftoff-only'],
})

/** LibreDWG as WebAssembly. Converts DWG drawings of AutoCAD 2000 to 2018 to DXF. */
export const libredwg: Engine = {
  ...node,
  name: 'libredwg',
  argv: (job, args) => [command, args, job.input, job.output],
}
