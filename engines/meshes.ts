import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'

const zip = ['yazl', 'buffer-crc32']
const { command: read, ...reader } = program('meshes/read.ts', { modules: ['saxes', 'xmlchars'], folders: ['repack'] })
const { command: write, ...writer } = program('meshes/write.ts', { modules: zip })
const { command: draw, ...drawer } = program('meshes/draw.ts')
const { command: optimise, ...optimiser } = program('meshes/optimise.ts')

/** Writes the triangles of a 3MF package, also one with several parts, as binary STL. */
export const packageReader: Engine = {
  ...reader,
  name: '3mf-reader',
  argv: (job) => [read, job.input, job.output],
}

/** Converts a binary STL to another mesh format, or a GLB to glTF in one file. The argument is the target format. */
export const meshWriter: Engine = {
  ...writer,
  name: 'mesh-writer',
  argv: (job, args) => [write, args, job.input, job.output],
}

/** Draws a binary STL as SVG, seen from the front, the right and above. The argument is the axis that points up. */
export const meshDrawer: Engine = {
  ...drawer,
  name: 'mesh-drawer',
  argv: (job, args) => [draw, args, job.input, job.output],
}

/** Makes models smaller without changing their shape. The argument is the format, `stl` or `glb`. */
export const meshOptimiser: Engine = {
  ...optimiser,
  // Clients and configurations know this name.
  name: 'mesh-shrinker',
  argv: (job, args) => [optimise, args, job.input, job.output],
}
