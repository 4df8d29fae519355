import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'

const { command, ...own } = program('blend/open.ts')

/**
 * Rewrites scenes of Blender up to 3.6 for assimp 5.2, which reads them up to 3.0. Vertex normals are invalid
 * afterwards.
 */
export const blendOpener: Engine = {
  ...own,
  name: 'blend-opener',
  argv: (job) => [command, job.input, job.output],
}
