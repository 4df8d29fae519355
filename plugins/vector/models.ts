import { assimp } from '../../engines/assimp.ts'
import { meshDrawer } from '../../engines/meshes.ts'
import type { Reader } from './stages.ts'

/** Models seen from the front, the right and above; `up` is the axis that points upwards once assimp has read them. */
const model = (up: 'y' | 'z', from: readonly string[]): Reader => ({
  engine: meshDrawer,
  uses: [assimp],
  from,
  read: async (job, run) => {
    const input = `${job.scratch}/model.stl`
    const output = `${job.scratch}/model.svg`
    await run(assimp, ['-fstlb', '-tri'], { output: input })
    await run(meshDrawer, [up], { input, output })
    return [output]
  },
})

/** Formats of manufacturing have z upwards; assimp turns scenes of other formats until y is. */
export const modelReaders: readonly Reader[] = [
  model('z', ['stl', 'ply', 'off', '3mf', 'amf']),
  model('y', ['obj', 'gltf', 'glb', 'fbx', 'dae', '3ds', 'x3d', 'x', 'lwo', 'ac', 'ase', 'ifc']),
]
