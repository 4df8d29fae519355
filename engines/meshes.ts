import { fileURLToPath } from 'node:url'
import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'
import { told } from './node/told.ts'

const zip = ['yazl', 'buffer-crc32']
const { command: read, sandbox, ...reader } = program('meshes/read.ts', ['saxes', 'xmlchars'])
const { command: write, ...writer } = program('meshes/write.ts', zip)
const { command: draw, ...drawer } = program('meshes/draw.ts', [])
const { command: shrink, ...shrinker } = program('meshes/shrink.ts', [])

/** Packages that the reader opens as those of documents are opened. */
const packages = fileURLToPath(new URL('programs/repack', import.meta.url))

/** Reads a 3MF package, of several parts too, and writes the triangles that it builds as binary STL. */
export const packageReader: Engine = {
  ...reader,
  sandbox: { ...sandbox, binds: [...sandbox.binds, packages] },
  name: '3mf-reader',
  argv: (job) => [read, job.input, job.output],
  reason: told,
}

/** Writes a binary STL as another kind of mesh, or a GLB as glTF in one file. The argument is the format. */
export const meshWriter: Engine = {
  ...writer,
  name: 'mesh-writer',
  argv: (job, args) => [write, args, job.input, job.output],
  reason: told,
}

/** Draws a binary STL as SVG, seen from the front, the right and above. The argument is the axis that is up. */
export const meshDrawer: Engine = {
  ...drawer,
  name: 'mesh-drawer',
  argv: (job, args) => [draw, args, job.input, job.output],
  reason: told,
}

/** Makes models smaller without changing their shape. The argument is the format, `stl` or `glb`. */
export const meshShrinker: Engine = {
  ...shrinker,
  name: 'mesh-shrinker',
  argv: (job, args) => [shrink, args, job.input, job.output],
  reason: told,
}
