import type { Engine, Step } from '../kernel/contract.ts'
import { fail } from '../kernel/kit.ts'
import { program } from './node/program.ts'

const zip = ['yazl', 'buffer-crc32']
const zipReader = ['yauzl', 'pend']
const { command: read, ...reader } = program('meshes/read.ts', {
  modules: ['saxes', 'xmlchars', ...zipReader],
  folders: ['repack'],
})
const { command: mending, ...mender } = program('meshes/mend.ts', {
  modules: [...zip, ...zipReader],
  folders: ['repack'],
})
const { command: build, ...buildings } = program('meshes/ifc.ts', { modules: ['web-ifc'] })
const { command: write, ...writer } = program('meshes/write.ts', { modules: zip })
const { command: draw, ...drawer } = program('meshes/draw.ts')
const { command: optimise, ...optimiser } = program('meshes/optimise.ts')

/** Writes the triangles of a 3MF package, also one with several parts, as binary STL. */
export const packageReader: Engine = {
  ...reader,
  name: '3mf-reader',
  argv: (job) => [read, job.input, job.output],
}

/** Writes a 3MF or AMF in millimetres, whatever its unit, and other models as assimp reads them. */
const meshMender: Engine = {
  ...mender,
  name: 'mesh-mender',
  argv: (job) => [mending, job.input, job.output],
}

/** Writes the building in an IFC as GLB, with web-ifc, which reads more of it than assimp. */
const ifcReader: Engine = {
  ...buildings,
  name: 'ifc-reader',
  argv: (job) => [build, job.input, job.output],
}

const readIfc: Step = { engine: ifcReader, output: 'mended.glb', when: { from: ['ifc'] } }

const mendOne: readonly Step[] = ['3mf', 'amf', 'ply', 'glb', 'gltf', 'stl'].map((format) => ({
  engine: meshMender,
  output: `mended.${format}`,
  // Other targets of STL have no colours.
  when: { from: [format], ...(format === 'stl' && { to: ['glb', 'gltf', 'dae', 'fbx', '3ds'] }) },
}))

/** First steps of routes from meshes: other programs ignore units, and fail at some headers. */
export const mend: readonly Step[] = [readIfc, ...mendOne]

/** The same for assimp, which leaves out objects in other parts of a package. @throws CONVERSION_ERROR for those */
export const mendAll: readonly Step[] = mend.map((step) => ({
  ...step,
  facts: (lines) => {
    if (lines.includes('parts')) throw fail('CONVERSION_ERROR', 'The model has several parts')
    return {}
  },
}))

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
