import { assimp } from '../../engines/assimp.ts'
import { mendAll, meshOptimiser, meshWriter } from '../../engines/meshes.ts'
import { openscad, refuseIncomplete } from '../../engines/openscad.ts'
import type { Route, Step } from '../../kernel/contract.ts'
import { without } from '../formats/family.ts'
import type { CadOptions } from './options.ts'
import { faceted, meshes, openScene, packages, programs, scenes, solids, type Triangles } from './triangles.ts'

/** Assimp's names of the formats that it writes well. */
const ids: Readonly<Record<string, string>> = {
  stl: 'stlb',
  obj: 'objnomtl',
  ply: 'plyb',
  glb: 'glb2',
  dae: 'collada',
  '3ds': '3ds',
  fbx: 'fbxa',
}

const byAssimp = Object.keys(ids)

/** Formats that assimp writes badly, in several files, or not at all. */
const byWriter = ['off', '3mf', 'amf', 'x3d', 'dxf']

/** Programs take the vertices of 3DS as they are, and ignore or repeat the matrices of objects: bake those in. */
const placed = (to: string) => to === '3ds' && '-ptv'

/** `-tri` divides faces with more than three corners, which some targets do not support. */
const exportMesh: Step<CadOptions> = { engine: assimp, args: ({ to }) => [`-f${ids[to]}`, '-tri', placed(to)] }

const exportGlb: Step<CadOptions> = { engine: assimp, output: 'model.glb', args: () => [`-f${ids.glb}`, '-tri'] }

/** Writes triangles, or GLB as glTF in one file. */
const write: Step<CadOptions> = { engine: meshWriter, args: ({ to }) => [to] }

/** Via triangles, without colours and names. */
const toTriangles = ({ from, engine, steps }: Triangles): Route<CadOptions> => ({ from, to: ['stl'], engine, steps })

const written = ({ from, engine, steps }: Triangles, to: readonly string[]): Route<CadOptions> => ({
  from,
  to,
  engine,
  steps: [...steps, write],
})

const exported = ({ from, engine, steps }: Triangles, to: readonly string[]): Route<CadOptions> => ({
  from,
  to,
  engine,
  steps: [...steps, exportMesh],
})

const embedded = ({ from, engine, steps }: Triangles): Route<CadOptions> => ({
  from,
  to: ['gltf'],
  engine,
  steps: [...steps, exportGlb, write],
})

/** Formats that assimp reads and exports directly. Scenes keep their colours. */
const asTheyAre: Triangles = { from: meshes.from, engine: assimp, steps: mendAll }

/** A program builds a solid, which has faces in space, or something flat, which is drawn by its outlines. */
const program: Route<CadOptions> = {
  from: programs.from,
  to: ['dxf'],
  steps: [
    ...programs.steps.map((step) => ({ ...step, optional: true })),
    { ...write, when: { written: 'model.stl' }, output: 'solid.dxf' },
    { engine: openscad, when: { not: { written: 'model.stl' } }, facts: refuseIncomplete },
  ],
}

/** Refuses a scene without a mesh. assimp would write an empty one. */
const openMeshes: readonly Step<CadOptions>[] = [
  ...scenes.steps,
  { engine: meshWriter, output: 'model.off', args: () => ['off'] },
]

const exportScene: Step<CadOptions> = {
  engine: assimp,
  input: openScene.output as string,
  args: ({ to }) => [`-f${ids[to]}`, ...faceted, placed(to)],
}

/** Blender scenes to formats with several objects. */
const ofScenes: readonly Route<CadOptions>[] = [
  toTriangles(scenes),
  { ...exported(scenes, ['ply']), engine: meshWriter },
  { ...written(scenes, byWriter), engine: meshWriter },
  {
    from: scenes.from,
    to: ['obj', 'glb', 'dae', '3ds', 'fbx'],
    engine: assimp,
    steps: [...openMeshes, exportScene],
  },
  {
    from: scenes.from,
    to: ['gltf'],
    engine: assimp,
    steps: [...openMeshes, { ...exportScene, output: 'model.glb', args: () => [`-f${ids.glb}`, ...faceted] }, write],
  },
]

/** Meshes from meshes, solids and programs. */
export const meshRoutes: readonly Route<CadOptions>[] = [
  // assimp gives colours to points of AMF, and its PLY writer declares them wrongly. STL has no colours.
  exported({ ...meshes, from: ['amf'] }, ['ply']),
  { from: without(meshes.from, 'amf'), to: ['ply'], steps: [...mendAll, exportMesh] },
  { from: meshes.from, to: without(byAssimp, 'ply'), steps: [...mendAll, exportMesh] },
  { ...written(meshes, byWriter), engine: meshWriter },
  { ...embedded(asTheyAre), engine: meshWriter },
  toTriangles(packages),
  exported(packages, without(byAssimp, 'stl')),
  written(packages, without(byWriter, '3mf')),
  embedded(packages),
  program,
  ...ofScenes,
  ...[solids, programs].flatMap((source) => [
    toTriangles(source),
    exported(source, without(byAssimp, 'stl')),
    written(source, source === programs ? without(byWriter, 'dxf') : byWriter),
    embedded(source),
  ]),
  { transform: ['stl', 'glb'], engine: meshOptimiser, args: ({ to }) => [to] },
]
