import { assimp } from '../../engines/assimp.ts'
import { openScene } from '../../engines/blend.ts'
import { meshShrinker, meshWriter } from '../../engines/meshes.ts'
import type { Engine, Route } from '../../kernel/contract.ts'
import { build, faceted, type Mesher, meshes, packages, programs, scenes, solids } from './meshers.ts'
import type { CadOptions } from './options.ts'

/** What assimp calls the formats that it writes well. */
const ids = {
  stl: 'stlb',
  obj: 'objnomtl',
  ply: 'plyb',
  glb: 'glb2',
  dae: 'collada',
  '3ds': '3ds',
  fbx: 'fbxa',
} as const

const idOf = (to: string) => ids[to as keyof typeof ids]
const known = Object.keys(ids)

/** Formats that assimp writes badly, in several files, or not at all. */
const ours = ['off', '3mf', 'amf', 'x3d', 'dxf']

/** `-tri`: faces of more than three corners are divided, which some targets cannot hold. */
const exported = (from: readonly string[], to: readonly string[]): Route<CadOptions> => ({
  from,
  to,
  engine: assimp,
  args: ({ to }) => [`-f${idOf(to)}`, '-tri'],
})

const others = (engine: Engine, engines: readonly Engine[]) => [...new Set(engines.filter((other) => other !== engine))]

/** By way of triangles alone. */
const meshed = (
  { engine, uses = [], from, mesh }: Mesher,
  to: readonly string[],
  leader = engine,
): Route<CadOptions> => ({
  ...{ from, to, engine: leader, uses: others(leader, [engine, ...uses, assimp, meshWriter]) },
  convert: async (job, run) => {
    const input = `${job.scratch}/model.stl`
    await mesh(job, run, input)
    if (ours.includes(job.to)) await run(meshWriter, [job.to], { input })
    else await run(assimp, [`-f${idOf(job.to)}`, '-tri'], { input })
  },
})

/** glTF in one file, by way of GLB. */
const embedded = ({ engine, from, mesh }: Mesher, leader = engine): Route<CadOptions> => ({
  ...{ from, to: ['gltf'], engine: leader, uses: others(leader, [engine, assimp, meshWriter]) },
  convert: async (job, run) => {
    const [between, input] = [`${job.scratch}/model.stl`, `${job.scratch}/model.glb`]
    // What assimp reads it exports at once: scenes keep their colours.
    if (engine !== assimp) await mesh(job, run, between)
    await run(assimp, [`-f${ids.glb}`, '-tri'], { ...(engine !== assimp && { input: between }), output: input })
    await run(meshWriter, ['gltf'], { input })
  },
})

const triangles = ({ engine, uses = [], from, mesh }: Mesher): Route<CadOptions> => ({
  ...{ from, to: ['stl'], engine, uses },
  convert: async (job, run) => void (await mesh(job, run, job.output)),
})

/** Programs, which build a solid, whose faces lie in space, or something flat, which is drawn by its outlines. */
const program: Route<CadOptions> = {
  ...{ from: programs.from, to: ['dxf'], engine: programs.engine, uses: [meshWriter] },
  convert: async (job, run) => {
    const input = `${job.scratch}/model.stl`
    const isSolid = await programs.mesh(job, run, input).then(
      () => true,
      (error) => {
        if (error.code !== 'CONVERSION_ERROR') throw error
        return false
      },
    )
    if (isSolid) await run(meshWriter, ['dxf'], { input })
    else await build(run, [])
  },
}

/** Scenes as they are, in formats that hold several objects. */
const scene = (to: readonly string[]): Route<CadOptions> => ({
  ...{ from: scenes.from, to, engine: assimp, uses: [...scenes.uses!, meshWriter] },
  convert: async (job, run) => {
    const input = await openScene(job, run)
    const [mesh, glb] = [`${job.scratch}/model.stl`, `${job.scratch}/model.glb`]
    const write = (to: string, output: string) => run(assimp, [`-f${idOf(to)}`, ...faceted], { input, output })
    // Refuses a scene without a mesh, which assimp would write as an empty one.
    await write('stl', mesh)
    await run(meshWriter, ['off'], { input: mesh, output: `${job.scratch}/model.off` })
    if (job.to !== 'gltf') return void (await write(job.to, job.output))
    await write('glb', glb)
    await run(meshWriter, ['gltf'], { input: glb })
  },
})

const without = (format: string, list: readonly string[]) => list.filter((other) => other !== format)

/** Meshes out of meshes, solids and programs. */
export const meshRoutes: Route<CadOptions>[] = [
  // assimp gives points of AMF colours that its writer of PLY then declares wrongly; STL has none.
  meshed({ ...meshes, from: ['amf'] }, ['ply']),
  exported(without('amf', meshes.from), ['ply']),
  exported(meshes.from, without('ply', known)),
  meshed(meshes, ours, meshWriter),
  embedded(meshes, meshWriter),
  triangles(packages),
  meshed(packages, [...without('stl', known), ...without('3mf', ours)]),
  embedded(packages),
  program,
  triangles(scenes),
  meshed(scenes, ['ply', ...ours], meshWriter),
  scene(['obj', 'glb', 'gltf', 'dae', '3ds', 'fbx']),
  ...[solids, programs].flatMap((mesher) => [
    triangles(mesher),
    meshed(mesher, [...without('stl', known), ...(mesher === programs ? without('dxf', ours) : ours)]),
    embedded(mesher),
  ]),
  { transform: ['stl', 'glb'], engine: meshShrinker, args: ({ to }) => [to] },
]
