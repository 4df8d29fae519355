import { assimp } from '../../engines/assimp.ts'
import { blendOpener } from '../../engines/blend.ts'
import { freecad } from '../../engines/freecad.ts'
import { mend, mendAll, packageReader } from '../../engines/meshes.ts'
import { openscad, refuseIncomplete } from '../../engines/openscad.ts'
import type { Engine, Step } from '../../kernel/contract.ts'
import { without } from '../formats/family.ts'
import { mesh, solid } from '../formats/model/models.ts'

/** First steps of routes: they write the triangles of a source as binary STL, `model.stl`. */
export interface Triangles {
  from: readonly string[]
  /** Engine shown in the catalogue. */
  engine: Engine
  steps: readonly Step[]
}

const output = 'model.stl'

/** Meshes and scenes, with faces that are triangles or are divided into triangles. */
export const meshes: Triangles = {
  from: without(mesh, 'blend'),
  engine: assimp,
  steps: [...mendAll, { engine: assimp, output, args: () => ['-fstlb', '-tri'] }],
}

/** Makes a Blender scene readable for assimp. */
export const openScene: Step = { engine: blendOpener, output: 'scene.blend' }

/** Vertex normals of an opened scene are invalid: recompute them for each face. */
export const faceted = ['-tri', '--drop-normals', '--gen-normals'] as const

/** Blender scenes. assimp skips everything but meshes, such as curves and texts. */
export const scenes: Triangles = {
  from: ['blend'],
  engine: assimp,
  steps: [openScene, { engine: assimp, output, args: () => ['-fstlb', ...faceted] }],
}

/** Packages that assimp cannot read, such as those of slicers, with parts in several files. */
export const packages: Triangles = {
  from: ['3mf'],
  engine: packageReader,
  steps: [...mend, { engine: packageReader, output }],
}

/** Solids with curved faces. Triangles approximate them closely. */
export const solids: Triangles = { from: solid, engine: freecad, steps: [{ engine: freecad, output }] }

/** OpenSCAD programs that build a solid. */
export const programs: Triangles = {
  from: ['scad'],
  engine: openscad,
  steps: [{ engine: openscad, output, args: () => ['--export-format', 'binstl'], facts: refuseIncomplete }],
}
