import { assimp } from '../../engines/assimp.ts'
import { meshShrinker, meshWriter } from '../../engines/meshes.ts'
import type { Route } from '../../kernel/contract.ts'
import type { CadOptions } from './options.ts'

const sources = [
  ...[
    'stl',
    'obj',
    'ply',
    'off',
    '3mf',
    'amf',
    'gltf',
    'glb',
    'fbx',
    'dae',
    '3ds',
    'x3d',
    'x',
    'lwo',
    'ac',
    'ase',
    'ifc',
  ],
]

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

/** `-tri`: faces of more than three corners are divided, which some targets cannot hold. */
const exported = (from: readonly string[], to: readonly string[]): Route<CadOptions> => ({
  from,
  to,
  engine: assimp,
  args: ({ to }) => [`-f${ids[to as keyof typeof ids]}`, '-tri'],
})

/** Formats that assimp writes badly, in several files, or not at all: by way of one that it writes well. */
const written = (to: readonly string[], between: 'stl' | 'glb'): Route<CadOptions> => ({
  from: sources,
  to,
  engine: meshWriter,
  uses: [assimp],
  convert: async (job, run) => {
    const input = `${job.scratch}/model.${between}`
    await run(assimp, [`-f${ids[between]}`, '-tri'], { output: input })
    await run(meshWriter, [job.to], { input })
  },
})

/** assimp gives points of AMF colours that its writer of PLY then declares wrongly; STL has none. */
const uncoloured: Route<CadOptions> = {
  from: ['amf'],
  to: ['ply'],
  engine: assimp,
  convert: async (job, run) => {
    const input = `${job.scratch}/model.stl`
    await run(assimp, [`-f${ids.stl}`, '-tri'], { output: input })
    await run(assimp, [`-f${ids.ply}`, '-tri'], { input })
  },
}

export const meshes: Route<CadOptions>[] = [
  uncoloured,
  exported(
    sources.filter((source) => source !== 'amf'),
    ['ply'],
  ),
  exported(
    sources,
    Object.keys(ids).filter((target) => target !== 'ply'),
  ),
  written(['off', '3mf', 'amf', 'x3d', 'dxf'], 'stl'),
  written(['gltf'], 'glb'),
  { transform: ['stl', 'glb'], engine: meshShrinker, args: ({ to }) => [to] },
]
