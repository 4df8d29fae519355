import { assimp } from '../../engines/assimp.ts'
import { blendOpener, openScene } from '../../engines/blend.ts'
import { freecad } from '../../engines/freecad.ts'
import { meshDrawer, packageReader } from '../../engines/meshes.ts'
import { openscad } from '../../engines/openscad.ts'
import type { Engine } from '../../kernel/contract.ts'
import { without } from '../formats/family.ts'
import { mesh, solid } from '../formats/model/models.ts'
import { failure } from './failure.ts'
import type { Reader } from './stages.ts'

/** How an engine is asked for a binary STL. */
const asked = new Map<Engine, readonly string[]>([
  [assimp, ['-fstlb', '-tri']],
  [openscad, ['--export-format', 'binstl']],
  [freecad, []],
  [packageReader, []],
])

/** Models seen from the front, the right and above; `up` is the axis that points upwards once they are triangles. */
const model = (up: 'y' | 'z', engine: Engine, from: readonly string[]): Reader => ({
  engine: engine === assimp ? meshDrawer : engine,
  uses: [engine === assimp ? assimp : meshDrawer],
  from,
  read: async (job, run) => {
    const input = `${job.scratch}/model.stl`
    const output = `${job.scratch}/model.svg`
    complete(await run(engine, asked.get(engine)!, { output: input }))
    await run(meshDrawer, [up], { input, output })
    return [output]
  },
})

/** What a program lacks of other files, OpenSCAD leaves out; here that is an error. */
function complete(lines: readonly string[]): void {
  if (lines.some((line) => /can't open |couldn't be opened|unsupported file format|import failed/i.test(line)))
    throw failure('CONVERSION_ERROR', 'The program uses other files, which were not uploaded with it')
}

/** Programs describe a solid or something flat. */
const program: Reader = {
  engine: openscad,
  uses: [meshDrawer],
  from: ['scad'],
  read: async (job, run) => {
    const output = `${job.scratch}/flat.svg`
    try {
      return await model('z', openscad, []).read(job, run)
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'CONVERSION_ERROR') throw error
      complete(await run(openscad, [], { output }))
      return [output]
    }
  },
}

/** Scenes of Blender, opened for assimp. */
const scene: Reader = {
  ...model('z', assimp, ['blend']),
  uses: [assimp, blendOpener],
  read: async (job, run) => {
    const input = await openScene(job, run)
    return model('z', assimp, []).read(job, (engine, args, files) => run(engine, args, { input, ...files }))
  },
}

/** Meshes to be printed. */
const manufactured = ['stl', 'ply', 'off', '3mf', 'amf']

/** Formats of manufacturing and Blender have z upwards; assimp turns scenes of other formats until y is. */
export const modelReaders: readonly Reader[] = [
  model('z', assimp, manufactured),
  model('y', assimp, without(mesh, ...manufactured, 'blend')),
  model('z', packageReader, ['3mf']),
  model('z', freecad, solid),
  scene,
  program,
]
