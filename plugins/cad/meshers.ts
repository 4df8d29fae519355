import { assimp } from '../../engines/assimp.ts'
import { blendOpener, openScene } from '../../engines/blend.ts'
import { freecad } from '../../engines/freecad.ts'
import { packageReader } from '../../engines/meshes.ts'
import { openscad } from '../../engines/openscad.ts'
import type { Engine, Job, Run } from '../../kernel/contract.ts'
import { without } from '../formats/family.ts'
import { mesh, solid } from '../formats/model/models.ts'
import { failure } from './failure.ts'
import type { CadOptions } from './options.ts'

/** Makes triangles of a source: the middle of every way from one kind of model to another. */
export interface Mesher {
  engine: Engine
  uses?: readonly Engine[]
  from: readonly string[]
  /** Writes a binary STL. */
  mesh: (job: Job<CadOptions>, run: Run, output: string) => Promise<unknown>
}

/** Meshes and scenes, whose faces are triangles or are divided into them. */
export const meshes: Mesher = {
  engine: assimp,
  from: without(mesh, 'blend'),
  mesh: (_, run, output) => run(assimp, ['-fstlb', '-tri'], { output }),
}

/** Normals of corners, where there are any, are an opened scene's no more: each face gets its own. */
export const faceted = ['-tri', '--drop-normals', '--gen-normals'] as const

/** Scenes of Blender. What is no mesh in them, such as curves and texts, assimp leaves out. */
export const scenes: Mesher = {
  engine: assimp,
  uses: [blendOpener],
  from: ['blend'],
  mesh: async (job, run, output) => {
    const input = await openScene(job, run)
    await run(assimp, ['-fstlb', ...faceted], { input, output })
  },
}

/** Packages whose parts lie in several files, as slicers write them, and others at which assimp stops. */
export const packages: Mesher = {
  engine: packageReader,
  from: ['3mf'],
  mesh: (_, run, output) => run(packageReader, [], { output }),
}

/** Solids with curved faces, which triangles follow closely. */
export const solids: Mesher = {
  engine: freecad,
  from: solid,
  mesh: (_, run, output) => run(freecad, [], { output }),
}

/** Runs an OpenSCAD program. What it lacks of other files, OpenSCAD leaves out; here that is an error. */
export async function build(run: Run, args: string[], output?: string): Promise<void> {
  const lines = await run(openscad, args, output ? { output } : {})
  if (lines.some((line) => /can't open |couldn't be opened|unsupported file format|import failed/i.test(line)))
    throw failure('CONVERSION_ERROR', 'The program uses other files, which were not uploaded with it')
}

/** Programs that build a solid. */
export const programs: Mesher = {
  engine: openscad,
  from: ['scad'],
  mesh: (_, run, output) => build(run, ['--export-format', 'binstl'], output),
}
