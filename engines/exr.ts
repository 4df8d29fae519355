import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'

const { command, ...node } = program('exr/layer.ts')

/** Makes the first layer of an OpenEXR picture the one that programs show, if all its channels are in layers. */
export const exrLayer: Engine = {
  ...node,
  name: 'exr-layer',
  argv: (job) => [command, job.input, job.output],
}
